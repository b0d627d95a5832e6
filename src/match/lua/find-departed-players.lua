-- Finds the players of a game who are no members of its lobby any more. Where there are none, the game notes
-- the version of the roster that it was compared with, so that check-lobbies.lua reports only later rosters.
-- KEYS[1] lobby  KEYS[2] match
-- Replies: {the roster's version, user id, …}, or nothing where no phase is open

local status = redis.call('HGET', KEYS[2], 'status')
local version, roster = unpack(redis.call('HMGET', KEYS[1], 'version', 'roster'))
if not roster or (status ~= 'open' and status ~= 'intermission') then return {} end
local is_member = {}
for _, member in ipairs(cjson.decode(roster).players) do is_member[member.userId] = true end

local reply = { version }
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  local user = string.match(field, '^player:(.+)')
  if user and not is_member[user] and redis.call('HEXISTS', KEYS[2], 'left:' .. user) == 0 then
    reply[#reply + 1] = user
  end
end
if #reply == 1 then redis.call('HSET', KEYS[2], 'membersVersion', version) end
return reply
