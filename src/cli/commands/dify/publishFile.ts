import { formatDifferenceSummary } from '#dify/content/formatDifference.ts';
import { carryOutPublish, planPublish } from '#dify/publishPlan.ts';
import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { type DifyWork, type FileResult, printResult, readLinkedFile } from './difyWork.ts';

/** `dify publish`: publishes the draft of a file's app. If the draft doesn't match the file, `--draft` is required. */
export async function publishFile(work: DifyWork): Promise<ExitCode> {
	const [file = ''] = work.files;
	const result = await publishDraft(work, file);
	await printResult(work, result);
	return result.code;
}

async function publishDraft(work: DifyWork, file: string): Promise<FileResult> {
	const { given, signal } = work;
	const { text, link } = await readLinkedFile(file);
	const management = await work.open(link.workspace_id);
	const plan = await planPublish({ management, link, text, signal });
	if (plan.fileDifference && !plan.fileDifference.isSame && !given.has('draft')) {
		return {
			file,
			result: 'draft-differs',
			message: "not published: the draft doesn't match the file; push first, or publish the draft with --draft",
			code: exitCodes.checkFailed,
			difference: plan.fileDifference,
		};
	}
	const [name, comment] = [given.getValue('name') ?? '', given.getValue('comment') ?? ''];
	const outcome = await carryOutPublish(plan, { management, name, comment, text, signal });
	switch (outcome.kind) {
		case 'done': {
			const what = plan.difference ? ` (${formatDifferenceSummary(plan.difference)} since the previous version)` : '';
			return {
				file,
				result: 'published',
				message: `${outcome.replyLost ? 'published (the response was lost, but Dify has the new version)' : 'published'}${what}`,
				code: exitCodes.passed,
				notes: [...plan.warnings, ...(outcome.warning === undefined ? [] : [outcome.warning])],
			};
		}
		case 'changed-meanwhile':
		case 'failed':
			return { file, result: outcome.kind, message: outcome.message, code: exitCodes.checkFailed };
		default:
			return { file, result: outcome.kind, message: outcome.message, code: exitCodes.unreached };
	}
}
