/** Header of commands with the key from `debug_session`. It's in this file because the client's chunk must not load zod. */
export const debugKeyHeader = 'x-debug-key';
/** Length limit of a condition, log message or expression in a debug session. */
export const longestExpression = 10_000;
/** Hit condition of a breakpoint: an optional operator and a number. */
export const hitConditionPattern = /^\s*(?:(==?|>=?|<=?|%)\s*)?(\d{1,9})\s*$/;
