#!/bin/sh
# Starts a fleet with the bundle of examples/hello, runs client.py against it, compares what it prints with
# expected.txt, stops the fleet. Installs the Kafka client from Debian's packages when there is none.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
fleet=""

stop() {
    if [ -n "$fleet" ] && kill "$fleet" 2>/dev/null; then
        wait "$fleet" || true
    fi
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A Python that has the client: the one on the PATH, else the system's own, which Debian's packages are for.
find_python() {
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c 'import confluent_kafka' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

python=$(find_python) || {
    command -v apt-get >/dev/null || {
        echo "The Python package confluent-kafka is needed; install it and run again." >&2
        exit 1
    }
    echo "Installing python3-confluent-kafka ..."
    (apt-get install -y -q python3-confluent-kafka || { apt-get update -q && apt-get install -y -q python3-confluent-kafka; }) \
        >"$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log" >&2; exit 1; }
    python=$(find_python)
}

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$root/toolfleet" dev --bundle "$root/examples/hello" --port "$port" >"$work/fleet.log" 2>&1 </dev/null &
fleet=$!

echo "Waiting for the fleet ..."
tries=0
until grep -q "Toolfleet is running" "$work/fleet.log"; do
    if ! kill -0 "$fleet" 2>/dev/null || [ "$tries" -ge 600 ]; then
        echo "The fleet did not start:" >&2
        cat "$work/fleet.log" >&2
        exit 1
    fi
    tries=$((tries + 1))
    sleep 1
done

"$python" "$here/client.py" "127.0.0.1:$port" "telegram:4711" | tee "$work/output.txt"
if ! diff "$here/expected.txt" "$work/output.txt"; then
    echo "That is not what expected.txt says. The fleet said:" >&2
    cat "$work/fleet.log" >&2
    exit 1
fi
echo "The client saw what it should."
