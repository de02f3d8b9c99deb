#!/bin/sh
# MCP server of tests, of 2025-11-25, in the shell: it starts in a few milliseconds.
# Arguments: the file with its tools (JSON array), a folder for its notes, and a fault.
tools=$1 notes=$2 fault=$3
echo $$ >>"$notes/pids"
pwd -P >>"$notes/folders"
echo "started with fault '$fault'" >&2

answer() {
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"
}

task() {
    printf '{"taskId":"t/1","status":"%s","statusMessage":"half way","createdAt":"2026-11-01T00:00:00Z","lastUpdatedAt":"2026-11-01T00:00:00Z","ttl":60000,"pollInterval":100}' "$1"
}

case $fault in
silent) while read -r line; do :; done; exit ;;
floods) yes 'not a message' ;;
endless) exec 2>&-; head -c 100000000 /dev/zero | tr '\0' 'x'; sleep 1000 ;;
broken) echo '{"jsonrpc":' ;;
exits) echo 'cannot open the database' >&2; exit 3 ;;
deaf) while :; do sleep 1; done ;;
esac

while read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
    *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) answer "{\"tools\":$(cat "$tools")}" ;;
    *'"notifications/cancelled"'*) echo "$line" >>"$notes/cancelled" ;;
    *'"tasks/get"'*) echo "$line" >>"$notes/asked"; [ -e "$notes/forgotten" ] && printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such task"}}\n' "$id" || answer "$(task "$(cat "$notes/status" 2>/dev/null || echo working)")" ;;
    *'"tasks/result"'*) answer '{"content":[{"type":"text","text":"ground"}]}' ;;
    *'"tasks/cancel"'*) echo "$line" >>"$notes/cancelled"; answer "$(task cancelled)" ;;
    *'"tools/call"'*)
        echo "$line" >>"$notes/calls"
        case $line in
        *'"name":"die"'*) exit 4 ;;
        *'"name":"die-once"'*) if [ -e "$notes/died" ]; then answer '{"content":[{"type":"text","text":"alive"}]}'; else : >"$notes/died"; exit 4; fi ;;
        *'"name":"hang"'*) ;;
        *'"name":"fail"'*) answer '{"content":[{"type":"text","text":"no such city"}],"isError":true}' ;;
        *'"name":"refuse"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"city is missing"}}\n' "$id" ;;
        *'"name":"large"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"; head -c 100000000 /dev/zero | tr '\0' 'x'; printf '"}]}}\n' ;;
        *'"name":"children"'*) setsid sh -c 'sleep 1000 & sleep 1000' >/dev/null 2>&1 & answer '{"content":[{"type":"text","text":"left"}]}' ;;
        *'"name":"change"'*) cp "$notes/next" "$tools"; echo '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; answer '{"content":[{"type":"text","text":"changed"}]}' ;;
        *'"name":"progress"'*) token=${line#*\"progressToken\":}; token=${token%%[,\}]*}
            printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"total":4,"message":"first"}}\n' "$token"
            answer '{"content":[{"type":"text","text":"done"}]}' ;;
        *'"name":"structured"'*) answer '{"content":[{"type":"text","text":"{}"}],"structuredContent":{"sum":3}}' ;;
        *'"task":{'*) answer "{\"task\":$(task working)}" ;;
        *'"name":"photo"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"%s"}]}}\n' "$id" "$(head -c 100000 /dev/zero | base64 -w 0)" ;;
        *'"name":"picture"'*) answer '{"content":[{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"AAEC"}]}' ;;
        *) answer '{"content":[{"type":"text","text":"hello"}]}' ;;
        esac ;;
    esac
done
