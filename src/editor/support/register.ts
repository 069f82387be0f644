import { supportCommands } from '#base/commandIds.ts';
import type { FeatureParts } from '../platform/feature.ts';

/** Registers the commands that report an issue and delete all data. Their implementation is loaded on first use. */
export function registerSupport({ context, commands, own }: FeatureParts): void {
	own(commands.registerAll(supportCommands, async () => (await import('./supportCommands.ts')).createSupport(context)));
}
