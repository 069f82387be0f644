/**
 * Shortens an ID to its last characters, which are enough to find it, because links in the channel lead to the full ID. The first
 * characters wouldn't do: services use time-ordered UUIDs, whose first characters stay the same for a minute.
 */
export function shortenId(id: string): string {
	return id.slice(-8);
}
