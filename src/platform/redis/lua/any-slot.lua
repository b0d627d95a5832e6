#!lua flags=allow-cross-slot-keys
-- The start of a script that touches keys of many slots of the server that it runs on. Their names come
-- as ARGV, since KEYS are of one slot; a key that is elsewhere by now is an error, for it alone.
