-- Opens the first round of a game. A second start of the same game changes nothing. The players are members
-- by the newest roster: those who were connected when the game was prepared, and those who have connected
-- since. Members who connect later enter by enter-match.lua.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match (hash)  KEYS[5] sockets
-- KEYS[6] questions (hash by round)  KEYS[7] judgements (list)
-- ARGV[1] time to live, ms  ARGV[2] game id  ARGV[3] roster's version
-- ARGV[4] the roster as store_newer_roster takes it
-- ARGV[5] the game:question, JSON  ARGV[6] its question's id  ARGV[7] duration of a round, ms
-- ARGV[8] the user ids of the prepared players, JSON
-- ARGV[9] the presenter's user id, or ''  ARGV[10] a JSON array of the questions, each as JSON in a string
-- ARGV[11] time to live of the questions, ms
-- ARGV[12] for how long the first question stands before it can be answered, ms
-- ARGV[13…] further fields and values of the match, and last the call's JSON
-- Replies: 'started' | 'known'

if redis.call('HGET', KEYS[4], 'gameId') == ARGV[2] then return 'known' end
local now = now_ms()
local opened = now + tonumber(ARGV[12])
local deadline = opened + tonumber(ARGV[7])

announce_pending_state(now, ARGV[1])
announce_other_changes(ARGV[3], ARGV[4], now, ARGV[1])
local version, roster = unpack(redis.call('HMGET', KEYS[1], 'version', 'roster'))
local members = cjson.decode(roster).players
local plays = {}
for _, user in ipairs(cjson.decode(ARGV[8])) do plays[user] = true end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '(' .. whole(now), '+inf')) do
  plays[string.match(member, '^[^:]+')] = true
end
plays[ARGV[9]] = nil

redis.call('DEL', KEYS[4], KEYS[6], KEYS[7])
local questions = {}
for round, question in ipairs(cjson.decode(ARGV[10])) do
  questions[#questions + 1] = round
  questions[#questions + 1] = question
end
redis.call('HSET', KEYS[6], unpack(questions))
local players, named = 0, {}
for _, member in ipairs(members) do
  if plays[member.userId] then
    named[#named + 1] = 'player:' .. member.userId
    named[#named + 1] = cjson.encode({ place = players, name = member.name })
    players = players + 1
  end
end
if players > 0 then redis.call('HSET', KEYS[4], unpack(named)) end
redis.call('HSET', KEYS[4], 'gameId', ARGV[2], 'status', 'open', 'round', 1, 'version', 1, 'openedVersion', 1,
  'questionId', ARGV[6], 'durationMs', ARGV[7], 'startedAtMs', whole(now),
  'openedAtMs', whole(opened), 'deadlineMs', whole(deadline), 'entered', players,
  'present', players, 'awaited', players, 'complete', '', 'totals', '{}', 'membersVersion', version,
  unpack(ARGV, 13, #ARGV - 1))
if ARGV[9] ~= '' then redis.call('HSET', KEYS[4], 'presenter', ARGV[9]) end
redis.call('PEXPIRE', KEYS[4], ARGV[1])
redis.call('PEXPIRE', KEYS[6], ARGV[11])
set_screen(append_question(ARGV[5], now, ARGV[1], opened, deadline))
return 'started'
