import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { Problem } from '#base/problems.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ImportedSuite, ImportTarget } from '#suites/exchange/importedSuite.ts';
import { importFile } from '#suites/exchange/importFile.ts';
import { ImportFault } from '#suites/exchange/importReading.ts';
import { takesQuery } from '#suites/generation/inputRows.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { completeEnding, findFreeFile, isExistingPath } from '../../platform/freeFile.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import { ImportReport } from './importReport.ts';

/** Makes suites from files of other tools. */
export class ImportSuite extends DisposableBase {
	readonly #connections: Pick<Connections, 'getDefault' | 'listAgents'>;
	readonly #report = this.register(new ImportReport());

	constructor(connections: Pick<Connections, 'getDefault' | 'listAgents'>) {
		super();
		this.#connections = connections;
	}

	/** Asks for the file, what its test cases should run and where to write the suite, and opens it. Runs no code of the file. */
	async importSuite(argument: unknown): Promise<vscode.Uri | undefined> {
		const file = getArgumentUri(argument) ?? (await chooseForeignFile());
		const target = file && (await this.#chooseTarget());
		const suite = target && (await chooseSuiteFile(file));
		if (!suite) {
			return undefined;
		}
		const rows = suite.with({ path: suite.path.replace(/\.suite\.json$/, '.rows.jsonl') });
		const imported = await readForeignFile(file, { ...target, rowsFile: path.posix.basename(rows.path) });
		if (imported.rows && !(await writeRows(rows, imported.rows, file))) {
			return undefined;
		}
		await replaceNamedFile(suite.fsPath, `${JSON.stringify(imported.suite, undefined, '\t')}\n`);
		this.#report.showNotMapped(file, imported.notMapped);
		await vscode.window.showTextDocument(suite, { preview: false });
		void showOutcome(suite, imported);
		return suite;
	}

	async #chooseTarget(): Promise<Omit<ImportTarget, 'rowsFile'> | undefined> {
		const { id, name } = this.#connections.getDefault();
		const models = {
			label: vscode.l10n.t('Models that the file names'),
			description: vscode.l10n.t('sends its prompts to models, without an agent'),
			iconPath: new vscode.ThemeIcon('sparkle'),
			agent: undefined,
		};
		const items = this.#connections.listAgents(id).then(
			agents => [models, ...agents.map(toAgentItem)],
			// a file can be imported without a connection
			() => [models],
		);
		const picked = await vscode.window.showQuickPick<(typeof models | ReturnType<typeof toAgentItem>) & vscode.QuickPickItem>(items, {
			title: vscode.l10n.t('Import Suite'),
			placeHolder: vscode.l10n.t("Select what the test cases run: models, or an agent of '{0}'", name),
		});
		if (!picked?.agent) {
			return picked && { agent: undefined, output: 'text', model: undefined };
		}
		const output = await vscode.window.showInputBox({
			title: vscode.l10n.t("Output of '{0}' to check", picked.agent.name),
			value: takesQuery(picked.agent) ? 'answer' : 'text',
			validateInput: value => (value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
		});
		return output === undefined ? undefined : { agent: picked.agent.name, output: output.trim(), model: undefined };
	}
}

function toAgentItem(agent: AgentSummary) {
	return { label: agent.name, description: agent.description, iconPath: new vscode.ThemeIcon('robot'), agent };
}

async function chooseForeignFile(): Promise<vscode.Uri | undefined> {
	const chosen = await vscode.window.showOpenDialog({
		title: vscode.l10n.t('Import Suite'),
		openLabel: vscode.l10n.t({ message: 'Import', comment: ['verb: button that imports the chosen file'] }),
		filters: { [vscode.l10n.t('Test suites and datasets')]: ['yaml', 'yml', 'json', 'jsonl', 'ndjson', 'eval'] },
	});
	return chosen?.[0];
}

/** Asks where to write the suite. Proposes a new file next to the imported one if that is in the workspace. */
async function chooseSuiteFile(file: vscode.Uri): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const beside = vscode.Uri.joinPath(file, '..');
	const place = folder && !vscode.workspace.getWorkspaceFolder(file) ? vscode.Uri.joinPath(folder.uri, 'suites') : beside;
	const uri = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Import Suite'),
		defaultUri: await findFreeFile(place, path.posix.basename(file.path).replace(/\.[^.]*$/, ''), 'suite.json'),
		// file dialogs only recognize the last part of a two-part extension
		filters: { [vscode.l10n.t('Suites')]: ['json'] },
	});
	return uri && completeEnding(uri, 'suite.json');
}

async function readForeignFile(file: vscode.Uri, target: ImportTarget): Promise<ImportedSuite> {
	try {
		return await importFile(file.fsPath, target, vscode.l10n.t);
	} catch (error) {
		const name = path.basename(file.fsPath);
		const message =
			error instanceof ImportFault
				? vscode.l10n.t("Couldn't import line {0} of '{1}': {2}", error.line, name, error.message)
				: vscode.l10n.t("Couldn't import '{0}': {1}", name, (error as Error).message);
		throw new Problem('import', message, undefined, { cause: error });
	}
}

/** Writes the rows of a dataset. Asks before it replaces a file. Resolves to false if the user cancels. */
async function writeRows(uri: vscode.Uri, rows: NonNullable<ImportedSuite['rows']>, imported: vscode.Uri): Promise<boolean> {
	const name = path.posix.basename(uri.path);
	if (uri.toString() === imported.toString()) {
		throw new Problem('taken', vscode.l10n.t("The rows would replace the imported file '{0}'. Choose another name for the suite.", name));
	}
	if (await isExistingPath(uri)) {
		const replace = vscode.l10n.t({ message: 'Replace', comment: ['verb: button that replaces a file'] });
		const question = vscode.l10n.t("'{0}' already exists. Replace it with the rows of the imported file?", name);
		if ((await vscode.window.showWarningMessage(escapeLinks(question), { modal: true }, replace)) !== replace) {
			return false;
		}
	}
	await replaceNamedFile(uri.fsPath, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
	return true;
}

async function showOutcome(suite: vscode.Uri, { cases, notMappedCount }: ImportedSuite): Promise<void> {
	const name = vscode.workspace.asRelativePath(suite);
	const done =
		cases === 1
			? vscode.l10n.t("Imported 1 test case into '{0}'.", name)
			: vscode.l10n.t("Imported {0} test cases into '{1}'.", cases, name);
	if (notMappedCount === 0) {
		await vscode.window.showInformationMessage(escapeLinks(done));
		return;
	}
	const show = vscode.l10n.t('Show problems');
	const rest = vscode.l10n.t('Parts that the suite has nothing for: {0}', notMappedCount);
	if ((await vscode.window.showWarningMessage(escapeLinks(joinSentences(done, rest)), show)) === show) {
		await vscode.commands.executeCommand('workbench.actions.view.problems');
	}
}
