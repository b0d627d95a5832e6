-- Reads the events from a number on, up to a number of bytes. Reading a long rest takes several calls, so
-- that neither Redis nor a replica has a whole log in memory for one reader.
-- KEYS[1] lobby  KEYS[2] log
-- ARGV[1] the first number  ARGV[2] bytes at most; a first entry that is larger comes alone
-- Replies: {the number of the lobby's last event or '', its mark or '', the number of the event on the screen
-- or '', the entries as JSON}

local ROWS_AT_ONCE = 8

local lobby = redis.call('HMGET', KEYS[1], 'seq', 'mark', 'screenSeq')
local found = {}
local bytes, limit, from = 0, tonumber(ARGV[2]), ARGV[1] .. '-0'

local function read_rows()
  while true do
    local rows = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', ROWS_AT_ONCE)
    for _, row in ipairs(rows) do
      local entry = row[2][2]
      bytes = bytes + #entry
      if bytes > limit and #found > 0 then return end
      found[#found + 1] = entry
    end
    if #rows < ROWS_AT_ONCE then return end
    from = '(' .. rows[#rows][1]
  end
end

read_rows()
return { lobby[1] or '', lobby[2] or '', lobby[3] or '', found }
