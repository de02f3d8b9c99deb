-- Answers three questions from the topics tool.error, tool.audit and tool.result. For sqlite3 3.38 or newer, in a
-- folder with errors.jsonl, audit.jsonl and results.jsonl: {time, topic, partition, offset, record}, one object a line.
CREATE TABLE errors (line TEXT);
CREATE TABLE audit (line TEXT);
CREATE TABLE results (line TEXT);
-- One column: a line has no such separator in it.
.mode ascii
.separator "\037" "\n"
.import errors.jsonl errors
.import audit.jsonl audit
.import results.jsonl results
.mode list
.separator " "

-- One row for each final error. A notice stands beside a result that is no error.
CREATE VIEW failure AS
SELECT line ->> '$.record.toolName' AS tool,
       line ->> '$.record.error.code' AS code,
       ifnull(line ->> '$.record.agentName', '-') AS agent,
       substr(line ->> '$.record.occurredAt', 1, 19) || 'Z' AS at
FROM errors
WHERE code <> 'E_CATALOG_DIGEST_MISMATCH';

-- One row for each approval or rejection that ended a question.
CREATE VIEW decision AS
SELECT line ->> '$.record.call.toolName' AS tool,
       line ->> '$.record.call.toolCallId' AS call,
       line ->> '$.record.call.instanceKey' AS instance,
       line ->> '$.record.action' AS action,
       ifnull(line ->> '$.record.by', '-') AS who,
       ifnull(line ->> '$.record.reason', '-') AS reason,
       line ->> '$.record.handle' AS handle
FROM audit
WHERE line ->> '$.record.kind' = 'decision' AND action IN ('approved', 'rejected');

-- Results of calls with a handle. A result that repeats an earlier one is not counted.
CREATE VIEW result AS
SELECT line ->> '$.record.toolName' AS tool,
       line ->> '$.record.handle' AS handle,
       line ->> '$.record.status' AS status,
       strftime('%s', line ->> '$.time') * 1000 + substr(strftime('%f', line ->> '$.time'), 4) AS ms
FROM results
WHERE handle IS NOT NULL AND NOT ifnull(line ->> '$.record.replayed', 0);

-- One row for each work that finished later: a pending result, and a final one with the same handle. Handles that
-- people decided on are no work.
CREATE VIEW work AS
SELECT ended.tool, ended.status, ended.ms - began.ms AS ms
FROM result AS ended
JOIN result AS began ON began.handle = ended.handle AND began.status = 'pending'
WHERE ended.status IN ('ok', 'error') AND ended.handle NOT IN (SELECT handle FROM decision);

SELECT 'failures: tool, of the tool in all, code, agent, how many, since';
SELECT tool, sum(count(*)) OVER (PARTITION BY tool) AS total, code, agent, count(*) AS failed, min(at)
FROM failure
GROUP BY tool, code, agent
ORDER BY total DESC, tool, failed DESC, code, agent;

SELECT 'decisions: tool, instance, call, decision, by, reason';
SELECT tool, instance, call, action, who, reason FROM decision ORDER BY tool, instance, call;

SELECT 'work: tool, ended, of them ok, shortest, mean and longest in ms';
SELECT tool, count(*), sum(status = 'ok'), min(ms), sum(ms) / count(*), max(ms) FROM work GROUP BY tool ORDER BY tool;
