import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { toPlainLine } from '../../output.ts';
import type { DifyWork } from './difyWork.ts';

/** `dify apps`: lists the apps of a workspace with their IDs, for `dify pull --app`. */
export async function listApps({ given, open, signal, write }: DifyWork): Promise<ExitCode> {
	const management = await open(given.getValue('workspace'));
	for (let page = 1; ; page++) {
		const { apps, hasMore } = await management.apps({ page }, { signal });
		for (const { id, name, mode, updatedAt } of apps) {
			await write(
				given.has('json')
					? `${JSON.stringify({ id, name, mode, updated_at: updatedAt })}\n`
					: `${id}  ${mode.padEnd(13)}  ${toPlainLine(name)}\n`,
			);
		}
		if (!hasMore || apps.length === 0) {
			return exitCodes.passed;
		}
	}
}
