package dev.toolfleet.console.page;

import java.util.List;

import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.console.operate.OperatorCommands.Disposal;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Dead letters: the list, one letter as text, and sending again or settling, which begins with a dry run.
final class LetterRoutes implements Route {
    private static final int MOST = 200;
    private static final int MAX_REASON = 1_000;

    private final Door door;
    private final FleetLists lists;
    private final OperatorCommands commands;

    LetterRoutes(Door door, FleetLists lists, OperatorCommands commands) {
        this.door = door;
        this.lists = lists;
        this.commands = commands;
    }

    /// Model of the list.
    ///
    /// @param older the number of letters that are not shown
    record LettersModel(Frame frame, List<Letter> letters, long older, String reason, String topic, boolean all,
            boolean mayOperate) {}

    /// Model of one letter.
    record OneLetterModel(Frame frame, String address, Outcome outcome, boolean mayOperate) {
        ShownValue record() {
            return ShownValue.of(outcome.json());
        }
    }

    /// Model of the dry run.
    record DryRunModel(Frame frame, Outcome outcome, Disposal disposal, List<String> addresses) {
        String verb() {
            return disposal == Disposal.REPLAY ? "Send again" : "Settle";
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.LETTERS.path(), door.page(this::list));
        Route.read(routes, Section.LETTERS.path() + "/{address}", door.page(this::show));
        routes.post(Section.LETTERS.path(), door.action(this::dispose));
    }

    private static void check(Visit visit) {
        Rights.check(visit, Section.LETTERS);
    }

    private void list(Context ctx, Visit visit) {
        check(visit);
        String reason = Field.query(ctx, "reason");
        String topic = Field.query(ctx, "topic");
        boolean all = ctx.queryParam("all") != null;
        LetterPage page = Rights.value(lists.letters(new LetterFilter(reason, topic, null), all, MOST));
        Templates.page(ctx, "letters", new LettersModel(
                Frame.of(visit, Section.LETTERS, "Dead letters", "toolfleet dlq list" + (all ? " --all" : "")),
                page.letters(), page.older(), reason == null ? "" : reason, topic == null ? "" : topic, all,
                visit.has(Scope.FLEET_OPERATE)));
    }

    /// A letter holds a whole record, arguments too.
    private void show(Context ctx, Visit visit) {
        check(visit);
        Rights.check(visit, Scope.TOOLS_CALL, "Reading the record of a dead letter");
        LetterAddress address = LetterAddress.of(ctx.pathParam("address"));
        Templates.page(ctx, "letter", new OneLetterModel(
                Frame.of(visit, Section.LETTERS, "Dead letter " + address, "toolfleet dlq show " + address),
                address.toString(), commands.letter(address), visit.has(Scope.FLEET_OPERATE)));
    }

    private void dispose(Context ctx, Visit visit) {
        check(visit);
        Rights.check(visit, Scope.FLEET_OPERATE, "Sending dead letters again, or settling them,");
        Disposal disposal = switch (String.valueOf(Form.of(ctx).get("disposal"))) {
            case "replay" -> Disposal.REPLAY;
            case "discard" -> Disposal.DISCARD;
            default -> throw new IllegalArgumentException("'disposal' must be replay or discard.");
        };
        List<LetterAddress> addresses = Form.of(ctx).all("address").stream().map(LetterAddress::of).toList();
        if (addresses.isEmpty())
            throw new IllegalArgumentException("No dead letter is selected. Nothing was changed.");
        if (addresses.size() > MOST)
            throw new IllegalArgumentException("At most " + MOST + " dead letters are accepted at once.");
        boolean confirmed = Form.of(ctx).has("confirmed");
        Outcome outcome = commands.dispose(disposal, addresses,
                new Author(visit.author(), Field.form(ctx, "reason", MAX_REASON)), !confirmed);
        String word = disposal == Disposal.REPLAY ? "replay" : "discard";
        Frame frame = Frame.of(visit, Section.LETTERS, confirmed ? "Dead letters" : "Dry run", "toolfleet dlq " + word
                + " " + String.join(" ", addresses.stream().map(LetterAddress::toString).limit(3).toList())
                + (addresses.size() > 3 ? " …" : ""));
        if (confirmed)
            OutcomeModel.write(ctx, frame, outcome, Section.LETTERS.path());
        else
            Templates.page(ctx, "letterDryRun", new DryRunModel(frame, outcome, disposal,
                    addresses.stream().map(LetterAddress::toString).toList()));
    }
}
