/** JSON text over several lines; what is none stays as it is, and nothing is an empty object. */
export function pretty(json: string): string {
	try {
		return JSON.stringify(JSON.parse(json || '{}'), null, 2);
	} catch {
		return json;
	}
}
