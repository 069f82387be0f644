/** The effort that a budget of thinking tokens stands for, at services that know no budget. 0 is none. */
export function effortOfBudget(tokens: number): 'none' | 'low' | 'medium' | 'high' {
	return tokens === 0 ? 'none' : tokens < 4_096 ? 'low' : tokens < 16_384 ? 'medium' : 'high';
}
