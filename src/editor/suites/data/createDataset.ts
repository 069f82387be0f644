import * as vscode from 'vscode';
import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { Problem } from '#base/problems.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { takesQuery } from '#suites/generation/inputRows.ts';
import { completeEnding, findFreeFile } from '../../platform/freeFile.ts';
import { isSuitePath } from '../../platform/names.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { pickAgent } from '../../runs/files/newRunFile.ts';
import { type CreatedRows, DatasetSources, type DatasetTarget } from './datasetSources.ts';
import type { SuiteDataParts } from './suiteData.ts';
import { offerDataset } from './suiteDataset.ts';

/** Makes datasets for agents. */
export class CreateDataset {
	readonly #parts: SuiteDataParts;
	readonly #sources: DatasetSources;

	constructor(parts: SuiteDataParts) {
		this.#parts = parts;
		this.#sources = new DatasetSources(parts);
	}

	/**
	 * Asks where the rows come from, shows them in an editor, and writes them if the user saves them. Offers to use them in the open suite.
	 * Resolves to the dataset, or `undefined` if it wasn't saved. `argument` is an agent of the tree.
	 */
	async createDataset(argument: unknown): Promise<vscode.Uri | undefined> {
		requireTrust();
		const suite = findOpenSuite();
		const source = await this.#sources.chooseSource();
		const target = source && (await this.#chooseAgent(argument, suite));
		const created = target && (await this.#sources.createRows(source, target));
		if (!created) {
			return undefined;
		}
		const uri = await saveRows(created, target.agent, suite);
		if (uri) {
			await offerDataset(uri, created.rows.length, takesQuery(target.agent), suite);
		}
		return uri;
	}

	/** Returns the agent of the tree or of the open suite, or asks for one. */
	async #chooseAgent(argument: unknown, suite: vscode.Uri | undefined): Promise<DatasetTarget | undefined> {
		const { connections } = this.#parts;
		const { connectionId, summary } = (typeof argument === 'object' && argument !== null ? argument : {}) as {
			readonly connectionId?: string;
			readonly summary?: AgentSummary;
		};
		const given = connectionId === undefined ? undefined : connections.get(connectionId);
		if (given && summary) {
			return { connection: given, agent: summary };
		}
		const ofSuite = suite && (await this.#findAgentOfSuite(suite));
		if (ofSuite) {
			return ofSuite;
		}
		const connection = connections.getDefault();
		const agent = await pickAgent(connections, vscode.l10n.t('Create Dataset'));
		return agent && { connection, agent };
	}

	async #findAgentOfSuite(uri: vscode.Uri): Promise<DatasetTarget | undefined> {
		const { files, runFiles } = this.#parts;
		const { suite } = await files.readSuiteForDisplay(uri);
		const connection = runFiles.getConnection(uri);
		const agents = suite?.target?.kind === 'agent' ? await runFiles.loadAgents(connection) : undefined;
		const agent = agents && findAgent(agents, suite!.target!.model);
		return agent && { connection, agent };
	}
}

/** Returns the suite in the active editor, or else the one in another visible editor. */
function findOpenSuite(): vscode.Uri | undefined {
	const { activeTextEditor, visibleTextEditors } = vscode.window;
	const editors = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
	return editors.find(({ document }) => isSuitePath(document.uri.path))?.document.uri;
}

/** Shows the rows in an editor, and asks where to write them. The editor stays open if the user doesn't answer. */
async function saveRows({ rows, notes }: CreatedRows, agent: AgentSummary, suite: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
	const content = rows.map(row => `${JSON.stringify(row)}\n`).join('');
	const preview = await vscode.workspace.openTextDocument({ content, language: 'jsonl' });
	await vscode.window.showTextDocument(preview, { preview: false });
	const save = vscode.l10n.t({ message: 'Save…', comment: ['verb: button that asks where to save the rows'] });
	const message =
		rows.length === 1
			? vscode.l10n.t("Created 1 row for '{0}'. It isn't saved yet.", agent.name)
			: vscode.l10n.t("Created {0} rows for '{1}'. They aren't saved yet.", rows.length, agent.name);
	if ((await vscode.window.showInformationMessage(escapeLinks(joinSentences(message, ...notes)), save)) !== save) {
		return undefined;
	}
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const place = suite ? vscode.Uri.joinPath(suite, '..') : folder && vscode.Uri.joinPath(folder.uri, 'suites');
	const chosen = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Create Dataset'),
		...(place && { defaultUri: await findFreeFile(place, agent.name, 'jsonl') }),
		filters: { JSONL: ['jsonl'] },
	});
	const uri = chosen && (await completeEnding(chosen, 'jsonl'));
	if (!uri) {
		return undefined;
	}
	if (preview.isClosed) {
		throw new Problem('closed', vscode.l10n.t('The rows were closed without being saved. Create the dataset again.'));
	}
	// the user may have edited the rows
	await replaceNamedFile(uri.fsPath, preview.getText());
	await vscode.window.showTextDocument(preview);
	await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	await vscode.window.showTextDocument(uri, { preview: false });
	return uri;
}
