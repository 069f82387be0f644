import * as vscode from 'vscode';
import { shortenId } from '#base/text/shortId.ts';
import type { DifyManagement, ManagedRun, RunsQuery } from '#client/dify/management.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { formatServiceRunKey, type ServiceRunReference } from '#runs/serviceRun.ts';
import { getStatusText } from '../../platform/runWording.ts';
import { escapeLinks, formatBriefDuration, formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import type { TargetApp } from './targetApp.ts';
import { toTraceEvents } from './traceEvents.ts';

/** A run on the deployment that the user selected. */
interface RunThere {
	readonly id: string;
	/** True for a run of the published app, false for a run of the draft. */
	readonly published: boolean;
}

/** Number of runs per request. */
const pageSize = 20;

interface RunItem extends vscode.QuickPickItem {
	readonly run?: ManagedRun;
	readonly of?: NonNullable<RunsQuery['triggeredFrom']>;
}

/** Asks the user to select a run of an app's draft or published version, newest first. Older runs are loaded on demand. */
export async function chooseManagedRun(management: DifyManagement, app: TargetApp): Promise<RunThere | undefined> {
	const kinds = ['debugging', 'app-run'] as const;
	const found = { debugging: [] as ManagedRun[], 'app-run': [] as ManagedRun[] };
	const more = new Set<(typeof kinds)[number]>();
	const loadPage = async (of: (typeof kinds)[number]) => {
		const lastId = found[of].at(-1)?.id;
		const page = await management.runs(app, { triggeredFrom: of, limit: pageSize, ...(lastId === undefined ? {} : { lastId }) });
		// stop if the deployment returns the same page again
		const fresh = page.runs.filter(({ id }) => !found[of].some(run => run.id === id));
		found[of].push(...fresh);
		more[page.hasMore && fresh.length > 0 ? 'add' : 'delete'](of);
	};
	await Promise.all(kinds.map(loadPage));
	for (;;) {
		const items = kinds.flatMap(of => toRunItems(of, found[of], more.has(of)));
		if (items.length === 0) {
			void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t("'{0}' hasn't run in Dify yet.", app.name)));
			return undefined;
		}
		const picked = await vscode.window.showQuickPick<RunItem>(items, {
			title: vscode.l10n.t("Runs of '{0}' in Dify", app.name),
			placeHolder: vscode.l10n.t('Select a run to inspect'),
			matchOnDescription: true,
			matchOnDetail: true,
		});
		if (!picked?.of) {
			return undefined;
		}
		if (picked.run) {
			return { id: picked.run.id, published: picked.of === 'app-run' };
		}
		await loadPage(picked.of);
	}
}

/** Returns the key of a run, for opening the inspector. */
export function getRunKey({ connectionId, name, id, mode }: TargetApp, run: RunThere): string {
	return formatServiceRunKey(toRunReference({ connectionId, name, id, mode }, run));
}

/** Yields the trace of a run as journal entries. */
export async function* readTraceEntries(
	management: DifyManagement,
	{ id }: Pick<TargetApp, 'id'>,
	runId: string,
): AsyncGenerator<JournalEntry> {
	const detail = await management.run(id, runId);
	for (const event of toTraceEvents(detail, await management.runNodes(id, runId))) {
		yield { at: 0, event };
	}
}

function toRunReference({ connectionId, name, id, mode }: Omit<TargetApp, 'file'>, run: RunThere): ServiceRunReference {
	return { connectionId, agentName: name, runId: run.id, app: { id, mode, published: run.published } };
}

function toRunItems(of: NonNullable<RunsQuery['triggeredFrom']>, runs: readonly ManagedRun[], more: boolean): RunItem[] {
	if (runs.length === 0) {
		return [];
	}
	const label = of === 'debugging' ? vscode.l10n.t('Draft') : vscode.l10n.t('Published');
	const older = { label: vscode.l10n.t('Load older runs…'), iconPath: new vscode.ThemeIcon('history'), alwaysShow: true, of };
	return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...runs.map(run => toRunItem(of, run)), ...(more ? [older] : [])];
}

function toRunItem(of: NonNullable<RunsQuery['triggeredFrom']>, run: ManagedRun): RunItem {
	const { id, status, elapsedSeconds, createdAt, by, error } = run;
	const facts = [
		...(createdAt === undefined ? [] : [formatRelativeTime(createdAt * 1000)]),
		...(elapsedSeconds === undefined ? [] : [formatBriefDuration(elapsedSeconds * 1000)]),
		...(by === undefined ? [] : [toOneLine(by, 40)]),
		shortenId(id),
	];
	return { label: getStatusText(status), description: facts.join(' · '), ...(error && { detail: toOneLine(error, 120) }), run, of };
}
