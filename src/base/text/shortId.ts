/**
 * Last characters of an ID, enough to find it by; the links of the channel lead to the whole. Not the first: in the time-ordered UUIDs
 * that services give their runs these are the same for a minute.
 */
export function shortId(id: string): string {
	return id.slice(-8);
}
