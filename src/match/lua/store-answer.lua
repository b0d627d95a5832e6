-- Stores a player's answer to the open question. The refusals are checked in the contract's order. [contract 5.4]
-- KEYS[1] match  KEYS[2] questions (hash by round)  KEYS[3] lobby  KEYS[4] sockets  KEYS[5] away
-- ARGV[1] JSON: {questionId, userId, given: the `optionId`, or the `text` and, when it is judged, its `verdict`, token:
-- identifies the request, since ioredis sends a request again after a broken connection: the repetition must not be
-- refused as a second answer}
-- Replies: 'stored' | {'complete', the game's snapshot} (it was the last awaited answer) | a refusal: 'NOT_IN_GAME' |
-- 'ROUND_CLOSED' | 'OVERDUE' (the round is over, and has not been ended yet) | 'WRONG_KIND' (the question has another
-- mode) | 'ALREADY_ANSWERED' | of a repeated request or answer 'stored' or 'complete' | of a text without a verdict
-- {'NOT_COMPARED', the question, the game's settings}, both JSON; nothing changes

local request = cjson.decode(ARGV[1])
local user, given = request.userId, request.given
local match = redis.call('HMGET', KEYS[1], 'status', 'questionId', 'deadlineMs', 'openedAtMs',
  'complete', 'player:' .. user, 'left:' .. user, 'answer:' .. user, 'token:' .. user,
  'version', 'awaited', 'answerMode', 'waitFor', 'present')
local now = now_ms()

-- Returns whether the answer equals the stored one, so that storing it again would change nothing. [contract 23]
local function is_repeated(stored)
  local before = cjson.decode(stored)
  return before.optionId == given.optionId and before.text == given.text
end

-- Returns nil if the answer can be stored.
local function refusal()
  local status, answer = match[1], match[8]
  -- The repeated request was accepted the first time, so that the game's present state doesn't matter.
  local known = match[5] == '' and 'stored' or 'complete'
  if match[9] == request.token then return known end
  if not status or status == 'finished' or not match[6] or match[7] then return 'NOT_IN_GAME' end
  local is_overdue = status ~= 'finishing' and now >= tonumber(match[3])
  if is_overdue then return 'OVERDUE' end
  if status ~= 'open' or match[2] ~= request.questionId then return 'ROUND_CLOSED' end
  -- The question stands, but can't be answered yet. [contract 22]
  if not answer and now < tonumber(match[4]) then return 'ROUND_CLOSED' end
  -- The player entered after all others had answered, or the host has ended the round.
  if not answer and match[5] ~= '' then return 'ROUND_CLOSED' end
  if match[12] ~= (given.text and 'typed' or 'choice') then return 'WRONG_KIND' end
  if answer then return is_repeated(answer) and known or 'ALREADY_ANSWERED' end
end

local refused = refusal()
if refused then return refused end
if given.text and not given.verdict then
  local round, settings = unpack(redis.call('HMGET', KEYS[1], 'round', 'settings'))
  return { 'NOT_COMPARED', redis.call('HGET', KEYS[2], round), settings }
end

local awaited = tonumber(match[11]) - 1
given.elapsedMs = now - tonumber(match[4])
local stored = cjson.encode(given)
redis.call('HSET', KEYS[1], 'answer:' .. user, stored,
  'token:' .. user, request.token, 'version', match[10] + 1, 'awaited', awaited)
if awaited > 0 then
  if match[13] ~= 'present' then return 'stored' end
  if not have_present_answered(now, match[14] - awaited) then return 'stored' end
end
redis.call('HSET', KEYS[1], 'complete', 'all_answered')
return { 'complete', snapshot(KEYS[1], KEYS[2]) }
