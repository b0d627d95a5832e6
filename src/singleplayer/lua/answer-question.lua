-- Judges an answer. Of concurrent answers to one question only the first is judged. The answer to the last
-- question ends the quiz. [contract 3]
--
-- KEYS[1]  the quiz: a hash of `userId`, `words`, `total`, `answered`, `correct`, and by question id JSON of
--          `nonce`, `word`, its reference, and `correctOptionId`, or `correctText` and `key` of a typed one;
--          after the answer, the judgement as JSON
-- KEYS[2]  the user's live quizzes, see save-quiz.lua
-- KEYS[3]  the index of unlearned quizzes: a sorted set of ids by the time of the first unlearned answer, ms
-- KEYS[4]  the quiz's unlearned answers: a hash of `userId`, `words`, and by the answer's number JSON of
--          `word`, `isCorrect`, `judgedAtMs`, and `verdict` of a typed one
-- ARGV[1]  the user who answers  ARGV[2] the question  ARGV[3] 'optionId' | 'text'
-- ARGV[4]  the option, or the verdict on the text
-- ARGV[5]  the id of the request, by which a command that is sent again after a reconnect is recognised
-- ARGV[6]  the time, ms, for which the judgements of a finished quiz stay for that  ARGV[7] the quiz's id
--
-- Replies, checked in this order:
--   { SESSION_NOT_FOUND | SESSION_FORBIDDEN | QUESTION_NOT_FOUND
--     | WRONG_KIND (an option for a typed question, or a text for another one) | QUESTION_ALREADY_ANSWERED }
--   { '', the judgement as JSON }

-- Unlearned answers expire after so many milliseconds, since they would grow without end while no worker runs.
local UNLEARNED_KEPT_MS = 7 * 24 * 60 * 60 * 1000

local user, words, total, answered, correct, stored = unpack(redis.call(
  'HMGET', KEYS[1], 'userId', 'words', 'total', 'answered', 'correct', ARGV[2]))
local question = stored and cjson.decode(stored)
local is_repeated = question and question.request == ARGV[5] and user == ARGV[1]
if is_repeated then return { '', stored } end
if not user or answered == total then return { 'SESSION_NOT_FOUND' } end
if user ~= ARGV[1] then return { 'SESSION_FORBIDDEN' } end
if not question then return { 'QUESTION_NOT_FOUND' } end
local is_typed = question.correctText ~= nil
if is_typed ~= (ARGV[3] == 'text') then return { 'WRONG_KIND' } end
if question.request then return { 'QUESTION_ALREADY_ANSWERED' } end

local verdict, is_right
if is_typed then
  verdict, is_right = ARGV[4], ARGV[4] ~= 'wrong'
else
  is_right = question.correctOptionId == tonumber(ARGV[4])
end
answered = answered + 1
if is_right then correct = correct + 1 end
local judgement = cjson.encode({
  request = ARGV[5],
  correctOptionId = question.correctOptionId,
  correctText = question.correctText,
  accepted = is_typed and question.key.accepted or nil,
  verdict = verdict,
  nonce = question.nonce,
  correct = tonumber(correct),
  answered = answered,
  total = tonumber(total),
})
redis.call('HSET', KEYS[1], 'answered', answered, 'correct', correct, ARGV[2], judgement)
local now = now_ms()
local review = cjson.encode({ word = question.word, isCorrect = is_right, verdict = verdict, judgedAtMs = now })
local new_fields = redis.call('HSET', KEYS[4], 'userId', user, 'words', words, answered, review)
redis.call('PEXPIRE', KEYS[4], UNLEARNED_KEPT_MS)
-- The first unlearned answer also adds the quiz to the index; a worker removes both in one step.
if new_fields > 1 then
  redis.call('ZADD', KEYS[3], whole(now), ARGV[7])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. whole(now - UNLEARNED_KEPT_MS))
  redis.call('PEXPIRE', KEYS[3], UNLEARNED_KEPT_MS)
end
if answered == tonumber(total) then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('LREM', KEYS[2], 1, KEYS[1])
end
return { '', judgement }
