// Recognises a request for a command's use.

/** @returns whether the arguments of a command ask how it is used */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
