import { originOf } from '../connections/baseUrl.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';

/** Where the apps of services are managed that have another host for it. */
const managedElsewhere: Readonly<Record<string, string>> = { 'https://api.dify.ai': 'https://cloud.dify.ai' };

/** Scheme, host and port at which the apps of a Dify connection are managed: as the settings say, else what follows from its base URL. */
export function consoleOrigin({ consoleUrl, baseUrl }: Pick<ConnectionEntry, 'baseUrl' | 'consoleUrl'>): string {
	const origin = originOf(consoleUrl ?? baseUrl);
	return managedElsewhere[origin] ?? origin;
}
