/** Maximum length of one environment or conversation variable as JSON, as in the hosted service (workflow DSL, "Limits"). */
export const maxVariableLength = 200 * 1024;
