/** Fills in the placeholders `{0}`, `{1}` … of a translated string. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
	return text.replace(/\{(\d+)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
}
