/** Characters that a condition, a log message or an expression of a debug session can have. */
export const longestExpression = 10_000;
/** A hit condition of a breakpoint: its operator, absent for a number alone, and the number. */
export const hitConditionPattern = /^\s*(?:(==?|>=?|<=?|%)\s*)?(\d{1,9})\s*$/;
