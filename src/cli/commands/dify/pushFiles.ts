import { carryOutPush } from '#dify/carryOutPush.ts';
import { readApp } from '#dify/content/appContent.ts';
import { hashContent } from '#dify/content/contentHash.ts';
import { writeAppFile } from '#dify/files/appFile.ts';
import { createLink, getAppName } from '#dify/linkMade.ts';
import { planPush } from '#dify/pushPlan.ts';
import { SyncFault } from '#dify/syncFault.ts';
import type { Backup, PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { getFileRoot } from '../../fileRoot.ts';
import { type DifyWork, type FileResult, getWarnings, processFiles, readLinkedFile } from './difyWork.ts';

/**
 * `dify push`: updates the drafts of apps from files. Changes made in Dify since the pull are only overwritten with `--overwrite`, after
 * saving a backup.
 */
export function pushFiles(work: DifyWork): Promise<ExitCode> {
	return processFiles(work, file => pushFile(work, file));
}

async function pushFile(work: DifyWork, file: string): Promise<FileResult> {
	const { given, backups, signal } = work;
	const { text, link } = await readLinkedFile(file);
	const management = await work.open(link.workspace_id);
	const plan = await planPush({ management, link, text, signal });
	if (plan.state === 'same') {
		const there = readApp(plan.there.text);
		if (link.base.content_hash !== hashContent(there)) {
			await writeAppFile({
				file,
				root: getFileRoot(file),
				expected: text,
				text: undefined,
				link: createLink(link, plan.there, there),
				name: getAppName(there),
				backups,
			});
		}
		return { file, result: 'same', message: 'no differences', code: exitCodes.passed };
	}
	const overwrite = given.has('overwrite');
	if (!overwrite && (plan.state === 'changed-there' || plan.state === 'changed-both')) {
		const whose = plan.state === 'changed-there' ? 'changed in Dify since the pull' : 'changed locally and in Dify';
		return {
			file,
			result: plan.state,
			message: `${whose}; not pushed. Use --overwrite to apply these changes in Dify:`,
			code: exitCodes.checkFailed,
			difference: plan.difference,
		};
	}
	const first = await carryOutPush(plan, { management, backups, overwrite, signal });
	const outcome = first.kind === 'pending' && given.has('confirm') ? await first.confirm({ signal }) : first;
	return toFileResult(work, file, plan, outcome);
}

async function toFileResult({ backups }: DifyWork, file: string, plan: PushPlan, outcome: PushOutcome): Promise<FileResult> {
	switch (outcome.kind) {
		case 'done': {
			const written = await writePushedFile(file, plan, outcome, backups);
			const missing = outcome.missing.map(({ name }) => name);
			return {
				file,
				result: 'pushed',
				message: outcome.replyLost ? 'pushed (the response was lost, but Dify has the new version)' : 'pushed',
				code: exitCodes.passed,
				difference: plan.difference,
				notes: [
					...getWarnings(plan.effects),
					...plan.faults.map(({ message }) => message),
					...(outcome.warning === undefined ? [] : [outcome.warning]),
					...(missing.length > 0 ? [`The workspace is missing plugins: ${missing.join(', ')}.`] : []),
					...written.notes,
				],
				backups: [outcome.backup, written.backup],
			};
		}
		case 'pending':
			return {
				file,
				result: 'pending',
				message: `not pushed: the file uses format version ${outcome.importedVersion ?? '?'}, Dify uses ${outcome.currentVersion ?? '?'}. Use --confirm to push anyway`,
				code: exitCodes.checkFailed,
				backups: [outcome.backup],
			};
		case 'failed':
			return {
				file,
				result: 'failed',
				message: `rejected: ${outcome.message}`,
				code: exitCodes.checkFailed,
				notes: [
					...outcome.details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
					...(outcome.left === undefined ? [] : [outcome.left]),
				],
				backups: [outcome.backup],
			};
		case 'changed-meanwhile':
			return { file, result: outcome.kind, message: outcome.message, code: exitCodes.checkFailed, difference: outcome.plan.difference };
		default:
			// the push may have been received: the user has to decide whether to retry
			return { file, result: outcome.kind, message: outcome.message, code: exitCodes.unreached, backups: [outcome.backup] };
	}
}

/** Writes the link, and the text if Dify changed it. If the file was edited in the meantime, writes only the link. */
async function writePushedFile(
	file: string,
	plan: PushPlan,
	{ link, file: text }: Extract<PushOutcome, { kind: 'done' }>,
	backups: DifyWork['backups'],
): Promise<{ readonly backup: Backup | undefined; readonly notes: readonly string[] }> {
	const order = { file, root: getFileRoot(file), expected: plan.here, link, name: getAppName(readApp(plan.here)), backups };
	try {
		const backup = await writeAppFile({ ...order, text });
		return { backup, notes: text === undefined ? [] : ['Dify changed what was sent. The file was updated to match.'] };
	} catch (error) {
		if (!(error instanceof SyncFault && error.code === 'changed-here')) {
			throw error;
		}
		await writeAppFile({ ...order, text: undefined });
		return { backup: undefined, notes: ["The file was edited in the meantime and wasn't updated. It doesn't have Dify's changes."] };
	}
}
