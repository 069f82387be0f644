import * as vscode from 'vscode';
import { agoText, oneLine } from '../common/wording.ts';
import { shortId } from './runLines.ts';
import type { RunRecord, Runs } from './runTypes.ts';

/** The run that a command means: its argument (a key, or a tree node that has a run), else one that the user picks. */
export async function chooseRun(
	argument: unknown,
	runs: Runs,
	wanted: (record: RunRecord) => boolean,
	none: string,
): Promise<RunRecord | undefined> {
	const key = keyOf(argument);
	if (key !== undefined) {
		return runs.get(key);
	}
	const records = runs.list().filter(wanted);
	if (records.length === 0) {
		void vscode.window.showInformationMessage(none);
		return undefined;
	}
	const items = records.map(record => ({
		label: record.agent,
		description: `${record.status} · ${agoText(record.startedAt)} · ${shortId(record.runId ?? record.key)}`,
		...(record.error ? { detail: oneLine(record.error, 120) } : {}),
		record,
	}));
	const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Run'), matchOnDescription: true });
	return picked?.record;
}

/** Key of the run that a command's argument names: the key itself, or a tree node that has a run. */
export function keyOf(argument: unknown): string | undefined {
	if (typeof argument === 'string') {
		return argument;
	}
	if (typeof argument !== 'object' || argument === null || !('run' in argument)) {
		return undefined;
	}
	const { run } = argument;
	return typeof run === 'object' && run !== null && 'key' in run && typeof run.key === 'string' ? run.key : undefined;
}
