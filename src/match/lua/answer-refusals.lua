-- Shared by the scripts that get an answer to the open question, so that both refuse the same ones. The refusals are
-- checked in the contract's order. [contract 5.4]
-- KEYS[1] match
-- ARGV[1] JSON: {questionId, userId, answerMode: 'choice' | 'typed', given: the `optionId`, or the `text` and, when it
-- is judged, its `verdict`, token: identifies the request, since ioredis sends a request again after a broken connection:
-- the repetition must not be refused as a second answer}

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

-- Returns nil if the answer can be stored. Otherwise: 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE' (the round is over,
-- and has not been ended yet) | 'WRONG_KIND' (the question has another mode) | 'ALREADY_ANSWERED'; for a repeated
-- request or answer 'stored' or 'complete'
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
  if match[12] ~= request.answerMode then return 'WRONG_KIND' end
  if answer then return is_repeated(answer) and known or 'ALREADY_ANSWERED' end
end
