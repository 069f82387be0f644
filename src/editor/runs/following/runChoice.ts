import * as vscode from 'vscode';
import { shortenId } from '#base/text/shortId.ts';
import { isRunActive, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { formatServiceRunKey, parseServiceRunKey, readServiceRun, type ServiceRunReference } from '#runs/serviceRun.ts';
import { getRunFileName, getStatusText, joinParts } from '../../platform/runWording.ts';
import { escapeIcons, escapeLinks, formatRelativeTime, toOneLine } from '../../platform/wording.ts';

/** Returns the run that a command's argument names by its key or as a tree node. If there is none, lets the user pick a run. */
export async function chooseRun(
	argument: unknown,
	runs: Runs,
	wanted: (record: RunRecord) => boolean,
	none: string,
): Promise<RunRecord | undefined> {
	const key = getRunKey(argument);
	if (key !== undefined) {
		return runs.get(key);
	}
	const records = runs.list().filter(wanted);
	if (records.length === 0) {
		void vscode.window.showInformationMessage(escapeLinks(none));
		return undefined;
	}
	const items = records.map(record => ({
		label: record.agent,
		description: joinParts(
			getStatusText(record.status),
			formatRelativeTime(record.startedAt),
			escapeIcons(getRunFileName(record) ?? ''),
			shortenId(record.runId ?? record.key),
		),
		...(record.error ? { detail: toOneLine(record.error, 120) } : {}),
		record,
	}));
	const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Select a run'), matchOnDescription: true });
	return picked?.record;
}

/** Returns the message to show if there are no runs to choose from. */
export function getNoRunsMessage(): string {
	return vscode.l10n.t('No runs yet. Open a run file and select Run.');
}

/**
 * Returns the key of the run to inspect: the run of the command's argument, or else one of the active runs, the paused runs, or the latest
 * run.
 */
export async function chooseKeyToInspect(argument: unknown, runs: Runs): Promise<string | undefined> {
	return getRunKey(argument) ?? findServiceRunKey(argument, runs) ?? (await chooseCurrentRun(runs))?.key;
}

async function chooseCurrentRun(runs: Runs): Promise<RunRecord | undefined> {
	const all = runs.list();
	const current = [isRunActive, isRunPaused].map(kind => all.filter(kind)).find(found => found.length > 1) ?? all.slice(0, 1);
	const [only] = current.length === 1 ? current : [];
	return only ?? chooseRun(undefined, runs, run => current.includes(run), getNoRunsMessage());
}

/** Prefers the key of the local record, which has more details than the service's run. */
function findServiceRunKey(argument: unknown, runs: Runs): string | undefined {
	const of = readServiceRun(argument);
	const own = of && runs.list({ connectionId: of.connectionId }).find(({ runId }) => runId === of.runId);
	return own?.key ?? (of && formatServiceRunKey(of));
}

/**
 * Returns the keys of the runs that a command applies to: all selected runs if `argument` is one of them, otherwise only that of
 * `argument`.
 */
export function getTargetKeys(argument: unknown, selected: unknown): string[] {
	const nodes: unknown[] = Array.isArray(selected) && (argument === undefined || selected.includes(argument)) ? selected : [argument];
	return nodes.map(getRunKey).filter(key => key !== undefined);
}

/**
 * Returns the keys of the two selected runs to compare, of this editor or of a service. Returns an empty list unless exactly two runs are
 * selected.
 */
export function getSelectedPair(argument: unknown, selected: unknown): readonly string[] {
	const nodes: unknown[] = Array.isArray(selected) && selected.includes(argument) ? selected : [];
	const keys = nodes.map(node => getRunKey(node) ?? getServiceRunKey(node)).filter(key => key !== undefined);
	return keys.length === 2 ? keys : [];
}

/** Returns the service's run that a command's argument names by a reference or a key. */
export function getServiceRun(argument: unknown): ServiceRunReference | undefined {
	const key = getRunKey(argument);
	return key === undefined ? readServiceRun(argument) : parseServiceRunKey(key);
}

function getServiceRunKey(argument: unknown): string | undefined {
	const of = readServiceRun(argument);
	return of && formatServiceRunKey(of);
}

/** Returns the run key of a command's argument, which can be the key itself or a tree node of a run. */
function getRunKey(argument: unknown): string | undefined {
	if (typeof argument === 'string') {
		return argument;
	}
	if (typeof argument !== 'object' || argument === null || !('run' in argument)) {
		return undefined;
	}
	const { run } = argument;
	return typeof run === 'object' && run !== null && 'key' in run && typeof run.key === 'string' ? run.key : undefined;
}
