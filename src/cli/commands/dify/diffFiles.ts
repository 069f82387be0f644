import type { LinkState } from '#dify/linkTypes.ts';
import { planDiff } from '#dify/pushPlan.ts';
import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { type DifyWork, getWarnings, processFiles, readLinkedFile } from './difyWork.ts';

/** `dify diff`: shows how files differ from their apps, node by node, and what else a push would change or lose. Changes nothing. */
export function diffFiles(work: DifyWork): Promise<ExitCode> {
	return processFiles(work, async file => {
		const { text, link } = await readLinkedFile(file);
		const management = await work.open(link.workspace_id);
		const { state, difference, effects } = await planDiff({ management, link, text, signal: work.signal });
		const code = difference.isSame ? exitCodes.passed : exitCodes.checkFailed;
		return {
			file,
			result: state,
			message: messages[state],
			code,
			difference: state === 'same' ? undefined : difference,
			notes: state === 'same' ? [] : getWarnings(effects),
		};
	});
}

const messages: Readonly<Record<LinkState, string>> = {
	same: 'no differences',
	layout: 'only the layout differs',
	'changed-here': 'changed locally; a push would change in Dify:',
	'changed-there': 'changed in Dify since the pull; differences from Dify to the file:',
	'changed-both': 'changed locally and in Dify; differences from Dify to the file:',
};
