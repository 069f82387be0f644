/**
 * Shortens an ID to its last characters, enough to find it; links in the channel lead to the full ID. Not the first characters: in the
 * time-ordered UUIDs of services, these stay the same for a minute.
 */
export function shortenId(id: string): string {
	return id.slice(-8);
}
