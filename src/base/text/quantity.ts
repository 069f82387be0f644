/** Formats a number with a noun for English text that isn't translated: `1 token`, `2,310 tokens`. */
export function formatQuantity(count: number, noun: string): string {
	return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
