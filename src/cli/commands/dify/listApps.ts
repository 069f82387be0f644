import { iterateApps } from '#client/dify/managedLists.ts';
import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { toJsonLine, toPlainLine } from '../../output.ts';
import type { DifyWork } from './difyWork.ts';

/** `dify apps`: lists the apps of a workspace with their IDs, for `dify pull --app`. */
export async function listApps({ given, open, signal, write }: DifyWork): Promise<ExitCode> {
	const management = await open(given.getValue('workspace'));
	for await (const { id, name, mode, updatedAt } of iterateApps(management, {}, { signal })) {
		await write(
			given.has('json') ? toJsonLine({ id, name, mode, updated_at: updatedAt }) : `${toPlainLine(`${id}  ${mode.padEnd(13)}  ${name}`)}\n`,
		);
	}
	return exitCodes.passed;
}
