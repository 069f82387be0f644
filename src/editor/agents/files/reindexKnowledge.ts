import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ServiceClient } from '#client/client.ts';
import type { DatasetStatus } from '#contract/knowledge.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { formatList } from '../../platform/format.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** Milliseconds between requests for the progress. */
const lookMs = 1_000;

/** Lets the user pick one of the built-in gateway's datasets, reindexes it, and shows the progress. */
export async function reindexKnowledge(connections: Connections, { id }: Connection): Promise<void> {
	try {
		const client = await connections.getClient(id);
		const dataset = await pickDataset(await client.listDatasets());
		if (dataset) {
			await client.reindexDataset(dataset.id);
			await showIndexingProgress(client, dataset);
		}
	} catch (error) {
		throw connections.toProblem(id, error);
	}
}

async function pickDataset(datasets: readonly DatasetStatus[]): Promise<DatasetStatus | undefined> {
	if (datasets.length === 0) {
		void vscode.window.showInformationMessage(
			vscode.l10n.t(
				"The built-in gateway has no datasets yet. Add a folder of documents to the setting 'agentWorkbench.gateway.knowledge'.",
			),
		);
		return undefined;
	}
	const items = datasets.map(dataset => ({
		label: dataset.name,
		description: formatDatasetStatus(dataset),
		detail: [...dataset.notes, ...dataset.problems.map(({ path, problem }) => `${path}: ${problem}`)].slice(0, 3).join(' · '),
		dataset,
	}));
	const choice = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Reindex Knowledge'),
		placeHolder: vscode.l10n.t('Select the dataset to reindex'),
	});
	return choice?.dataset;
}

/** Shows progress until the dataset is indexed. If the user closes the notification, indexing continues. */
async function showIndexingProgress(client: ServiceClient, { id, name }: DatasetStatus): Promise<void> {
	const title = escapeLinks(vscode.l10n.t("Indexing the documents of '{0}'", name));
	await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		async (progress, token) => {
			while (!token.isCancellationRequested) {
				const status = (await client.listDatasets()).find(dataset => dataset.id === id);
				if (status?.state !== 'indexing') {
					void vscode.window.showInformationMessage(escapeLinks(status ? `${name}: ${formatDatasetStatus(status)}` : name));
					return;
				}
				progress.report({ message: formatDatasetStatus(status) });
				await delay(lookMs);
			}
		},
	);
}

function formatDatasetStatus({ kind, state, documents = 0, waiting = 0, failed = 0 }: DatasetStatus): string {
	if (kind === 'dify') {
		return vscode.l10n.t('on a Dify server');
	}
	if (state === 'failed') {
		return vscode.l10n.t("can't be searched");
	}
	const counts = documents === 1 ? vscode.l10n.t('1 document') : vscode.l10n.t('{0} documents', documents);
	const more = [
		...(waiting > 0 ? [vscode.l10n.t({ message: '{0} not indexed yet', args: [waiting], comment: ['{0} is a number of documents'] })] : []),
		...(failed > 0 ? [vscode.l10n.t({ message: "{0} couldn't be read", args: [failed], comment: ['{0} is a number of documents'] })] : []),
	];
	return formatList([counts, ...more]);
}
