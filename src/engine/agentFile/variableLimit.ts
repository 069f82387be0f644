/** Characters of one environment or conversation variable as JSON, as the hosted service limits it (workflow DSL, "Limits"). */
export const maxVariableLength = 200 * 1024;
