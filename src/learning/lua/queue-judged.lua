-- Shared by the scripts that judge answers: queues what the memory of the learners gets to know, in the
-- step that judges. An entry's id is its time. [contract 13]
-- key: the queue, in the slot of the script's keys
-- word: the word as the queue names it, JSON
-- right, wrong: the ids of those who answered so, separated by spaces

local function queue_judged(key, word, right, wrong)
  redis.call('XADD', key, '*', 'word', word, 'right', right, 'wrong', wrong)
end
