-- Opens the first round of a game. A second start of the same game changes nothing. The players are members
-- by the newest roster: those who were connected when the game was prepared, and those who have connected
-- since. Members who connect later enter by enter-match.lua.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match (hash)  KEYS[5] questions (hash by round)
-- KEYS[6] judgements (list)  KEYS[7] sockets
-- ARGV[1] JSON: {gameId, presenterId ('' without one), ttlMs: time to live, version and roster (as store_newer_roster
-- takes them), playerIds: the prepared players, question: the game:question as JSON in a string, questionId, questions:
-- each as JSON in a string, questionsTtlMs, durationMs of a round, readMs: for how long the first question stands before
-- it can be answered, fields: further fields of the match}  ARGV[2] the call's JSON
-- Replies: 'started' | 'known'

local start = cjson.decode(ARGV[1])
if redis.call('HGET', KEYS[4], 'gameId') == start.gameId then return 'known' end
local now = now_ms()
local opened = now + start.readMs
local deadline = opened + start.durationMs

announce_pending_state(now, start.ttlMs)
announce_other_changes(start.version, start.roster, now, start.ttlMs)
local version, roster = unpack(redis.call('HMGET', KEYS[1], 'version', 'roster'))
local members = cjson.decode(roster).players
local plays = {}
for _, user in ipairs(start.playerIds) do plays[user] = true end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[7], '(' .. whole(now), '+inf')) do
  plays[string.match(member, '^[^:]+')] = true
end
plays[start.presenterId] = nil

redis.call('DEL', KEYS[4], KEYS[5], KEYS[6])
local questions = {}
for round, question in ipairs(start.questions) do
  questions[#questions + 1] = round
  questions[#questions + 1] = question
end
redis.call('HSET', KEYS[5], unpack(questions))
local players, named = 0, {}
for _, member in ipairs(members) do
  if plays[member.userId] then
    named[#named + 1] = 'player:' .. member.userId
    named[#named + 1] = cjson.encode({ place = players, name = member.name })
    players = players + 1
  end
end
if players > 0 then redis.call('HSET', KEYS[4], unpack(named)) end
redis.call('HSET', KEYS[4], 'gameId', start.gameId, 'status', 'open', 'round', 1, 'version', 1, 'openedVersion', 1,
  'questionId', start.questionId, 'durationMs', start.durationMs, 'startedAtMs', whole(now),
  'openedAtMs', whole(opened), 'deadlineMs', whole(deadline), 'entered', players,
  'present', players, 'awaited', players, 'complete', '', 'totals', '{}', 'membersVersion', version)
for field, value in pairs(start.fields) do redis.call('HSET', KEYS[4], field, value) end
if start.presenterId ~= '' then redis.call('HSET', KEYS[4], 'presenter', start.presenterId) end
redis.call('PEXPIRE', KEYS[4], start.ttlMs)
redis.call('PEXPIRE', KEYS[5], start.questionsTtlMs)
set_screen(append_question(start.question, now, start.ttlMs, opened, deadline))
return 'started'
