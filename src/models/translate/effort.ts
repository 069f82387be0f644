/** Returns the effort for a thinking token budget, for services without budgets. 0 means none. */
export function getEffort(tokens: number): 'none' | 'low' | 'medium' | 'high' {
	return tokens === 0 ? 'none' : tokens < 4_096 ? 'low' : tokens < 16_384 ? 'medium' : 'high';
}
