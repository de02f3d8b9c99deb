# Leads connections to 127.0.0.1:PORT on to the Unix-domain socket PATH, and becomes the rest of its command line.
# It runs behind the walls, as weak as the command that it becomes: what may be reached is decided at the socket.
use strict;
use warnings;
use Fcntl;
use Socket;

my ($port, $path) = splice @ARGV, 0, 2;

sub refuse {
    print STDERR "egress: $_[0]: $!\n";
    exit 125;
}

socket(my $listener, PF_INET, SOCK_STREAM, 0) or refuse('no socket');
setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, pack('l', 1)) or refuse('no socket');
bind($listener, pack_sockaddr_in($port, INADDR_LOOPBACK)) or refuse("no port $port");
listen($listener, 128) or refuse("no port $port");

# It listens before the command starts. The process that forwards is no child of the command, which may wait for its own.
my $child = fork;
refuse('no process') unless defined $child;
if ($child) {
    waitpid $child, 0;
    $! = $? >> 8;
    refuse('no process') if $?;
    close $listener;
    exec { $ARGV[0] } @ARGV or refuse("$ARGV[0] does not start");
}
my $forwarder = fork;
exit($! || 1) unless defined $forwarder;
exit 0 if $forwarder;

open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
$SIG{PIPE} = 'IGNORE';
$0 = 'egress-forwarder';

# One direction of a connection, by the number of the file that it reads.
my %ways;

sub unblocked {
    my ($file) = @_;
    fcntl($file, F_SETFL, fcntl($file, F_GETFL, 0) | O_NONBLOCK);
}

sub joined {
    my ($client) = @_;
    return close $client unless socket(my $server, PF_UNIX, SOCK_STREAM, 0);
    return close $client unless connect($server, pack_sockaddr_un($path));
    unblocked($_) for $client, $server;
    my %there = (from => $client, to => $server, data => '', back => fileno $server);
    my %back = (from => $server, to => $client, data => '', back => fileno $client, answers => 1);
    $ways{fileno $client} = \%there;
    $ways{fileno $server} = \%back;
}

sub ended {
    my ($way) = @_;
    my $back = $ways{$way->{back}};
    delete $ways{fileno $_->{from}} for $way, $back;
    close $way->{from};
    close $way->{to};
}

sub readable {
    my ($way) = @_;
    my $count = sysread $way->{from}, $way->{data}, 16384, length $way->{data};
    return if !defined $count && ($!{EAGAIN} || $!{EINTR});
    $way->{eof} = 1 unless $count;
    # The proxy has ended this connection; the client may still send, and is to read the answer.
    $way->{data} = '' if $way->{deaf};
}

sub writable {
    my ($way) = @_;
    my $count = syswrite $way->{to}, $way->{data};
    if (defined $count) {
        substr $way->{data}, 0, $count, '';
    } elsif (!$!{EAGAIN} && !$!{EINTR}) {
        return ended($way) if $way->{answers};
        $way->{deaf} = 1;
        $way->{data} = '';
    }
}

sub settled {
    my ($way) = @_;
    return if !$way->{eof} || $way->{done} || length $way->{data};
    $way->{done} = 1;
    shutdown $way->{to}, 1;
    ended($way) if $ways{$way->{back}}{done};
}

while (1) {
    my ($read, $write) = ('', '');
    vec($read, fileno $listener, 1) = 1 if keys %ways < 1024;
    for my $way (values %ways) {
        vec($read, fileno $way->{from}, 1) = 1 if !$way->{eof} && length $way->{data} < 65536;
        vec($write, fileno $way->{to}, 1) = 1 if length $way->{data};
    }
    next if select($read, $write, undef, undef) < 0;
    if (vec($read, fileno $listener, 1) && accept my $client, $listener) {
        joined($client);
    }
    for my $number (keys %ways) {
        my $way = $ways{$number} or next;
        readable($way) if vec $read, $number, 1;
        writable($way) if length $way->{data} && vec $write, fileno $way->{to}, 1;
        settled($way) if $ways{$number};
    }
}
