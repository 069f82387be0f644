import * as vscode from 'vscode';
import { shortId } from '#base/text/shortId.ts';
import { isActive, isPaused } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { type ServiceRunReference, serviceRunKey, serviceRunOf, serviceRunOfKey } from '#runs/serviceRun.ts';
import { statusText } from '../../platform/runWording.ts';
import { agoText, oneLine } from '../../platform/wording.ts';

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
		description: `${statusText(record.status)} · ${agoText(record.startedAt)} · ${shortId(record.runId ?? record.key)}`,
		...(record.error ? { detail: oneLine(record.error, 120) } : {}),
		record,
	}));
	const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Run'), matchOnDescription: true });
	return picked?.record;
}

/** What is shown in the place of a choice if there is nothing to choose from. */
export function noRuns(): string {
	return vscode.l10n.t('No runs yet. Open a run file and press Run.');
}

/** Key of the run to inspect: the one that a command means, else one of those that are active, or paused, else the latest of this editor. */
export async function keyToInspect(argument: unknown, runs: Runs): Promise<string | undefined> {
	return keyOf(argument) ?? keyOfServiceRun(argument, runs) ?? (await chooseCurrent(runs))?.key;
}

async function chooseCurrent(runs: Runs): Promise<RunRecord | undefined> {
	const all = runs.list();
	const current = [isActive, isPaused].map(kind => all.filter(kind)).find(found => found.length > 1) ?? all.slice(0, 1);
	const [only] = current.length === 1 ? current : [];
	return only ?? chooseRun(undefined, runs, run => current.includes(run), noRuns());
}

/** A run of a service that was started here is kept in more detail than its service has it. */
function keyOfServiceRun(argument: unknown, runs: Runs): string | undefined {
	const of = serviceRunOf(argument);
	const own = of && runs.list({ connectionId: of.connectionId }).find(({ runId }) => runId === of.runId);
	return own?.key ?? (of && serviceRunKey(of));
}

/** Keys of the runs that a command means: those among what is selected in the tree, where the node it was called on belongs to the selection; else that one's. */
export function keysOf(argument: unknown, selected: unknown): string[] {
	const nodes: unknown[] = Array.isArray(selected) && (argument === undefined || selected.includes(argument)) ? selected : [argument];
	return nodes.map(keyOf).filter(key => key !== undefined);
}

/** Keys of two runs that are selected, of this editor or of a service, to be seen beside each other; none where it is not two. */
export function selectedPair(argument: unknown, selected: unknown): readonly string[] {
	const nodes: unknown[] = Array.isArray(selected) && selected.includes(argument) ? selected : [];
	const keys = nodes.map(node => keyOf(node) ?? serviceKeyOf(node)).filter(key => key !== undefined);
	return keys.length === 2 ? keys : [];
}

/** The run of a service that a command's argument names: its reference, or the key that stands for that. */
export function serviceRunNamed(argument: unknown): ServiceRunReference | undefined {
	const key = keyOf(argument);
	return key === undefined ? serviceRunOf(argument) : serviceRunOfKey(key);
}

function serviceKeyOf(argument: unknown): string | undefined {
	const of = serviceRunOf(argument);
	return of && serviceRunKey(of);
}

/** Key of the run that a command's argument names: the key itself, or a tree node that has a run. */
function keyOf(argument: unknown): string | undefined {
	if (typeof argument === 'string') {
		return argument;
	}
	if (typeof argument !== 'object' || argument === null || !('run' in argument)) {
		return undefined;
	}
	const { run } = argument;
	return typeof run === 'object' && run !== null && 'key' in run && typeof run.key === 'string' ? run.key : undefined;
}
