import { getUrlOrigin } from '../connections/baseUrl.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';

/** Origins of consoles that are on another host than the API, by the origin of the API. */
const managedElsewhere: Readonly<Record<string, string>> = { 'https://api.dify.ai': 'https://cloud.dify.ai' };

/** Returns the origin of the console that manages the apps of a Dify connection. Taken from the settings, or derived from the base URL. */
export function getConsoleOrigin({ consoleUrl, baseUrl }: Pick<ConnectionEntry, 'baseUrl' | 'consoleUrl'>): string {
	const origin = getUrlOrigin(consoleUrl ?? baseUrl);
	return managedElsewhere[origin] ?? origin;
}
