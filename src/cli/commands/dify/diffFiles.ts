import type { LinkState } from '#dify/linkTypes.ts';
import { planDiff } from '#dify/pushPlan.ts';
import { type ExitCode, exitCodes } from '../../cliFault.ts';
import { type DifyWork, eachFile, linkedFile, warningsOf } from './difyWork.ts';

/** `dify diff`: how files differ from their apps, node by node, and what a push would change or lose besides. Changes nothing. */
export function diffFiles(work: DifyWork): Promise<ExitCode> {
	return eachFile(work, async file => {
		const { text, link } = await linkedFile(file);
		const management = await work.open(link.workspace_id);
		const { state, difference, effects } = await planDiff({ management, link, text, signal: work.signal });
		const code = difference.isSame ? exitCodes.passed : exitCodes.checkFailed;
		return {
			file,
			result: state,
			message: messages[state],
			code,
			difference: state === 'same' ? undefined : difference,
			notes: state === 'same' ? [] : warningsOf(effects),
		};
	});
}

const messages: Readonly<Record<LinkState, string>> = {
	same: 'the same here and there',
	layout: 'the same here and there but for the layout',
	'changed-here': 'changed here; a push would change there:',
	'changed-there': 'changed there since it was pulled; from there to here:',
	'changed-both': 'changed here and there; from there to here:',
};
