-- Reads a lobby as a snapshot shows it, with what its receivers have answered to the open question. [contract 23]
-- KEYS[1] lobby  KEYS[2] match
-- ARGV[1] JSON: {fields: of the lobby, userIds: the receivers}
-- Replies: {the values of the fields, user id, the answer as JSON or '', …}, with the receivers who play

local request = cjson.decode(ARGV[1])
local reply = { redis.call('HMGET', KEYS[1], unpack(request.fields)) }
for _, user in ipairs(request.userIds) do
  local match = redis.call('HMGET', KEYS[2], 'player:' .. user, 'left:' .. user, 'answer:' .. user)
  if match[1] and not match[2] then
    reply[#reply + 1] = user
    reply[#reply + 1] = match[3] or ''
  end
end
return reply
