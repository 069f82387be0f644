import { supportCommands } from '#base/commandIds.ts';
import type { FeatureParts } from '../platform/feature.ts';

/** Registers the commands that report an issue and delete all data. Their implementation is loaded on first use. */
export function registerSupport({ context, dataFolder, commands, own }: FeatureParts): void {
	own(
		commands.registerAll(supportCommands, async () => ({
			handlers: (await import('./supportCommands.ts')).createSupportHandlers(context, dataFolder),
		})),
	);
}
