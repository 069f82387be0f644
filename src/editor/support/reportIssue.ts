import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getItems, isRecord, toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { findGateway } from '#client/localGateway/gatewayLock.ts';
import { isWorkspaceTrusted } from '../platform/trust.ts';
import { escapeLinks } from '../platform/wording.ts';
import { type ChangedSetting, describeSetting, formatIssueReport } from './issueReport.ts';

/** Parts of the extension's context that the report reads. */
export type ReportedExtension = Pick<vscode.ExtensionContext, 'extension' | 'secrets' | 'logUri'>;

/** Number of bytes and lines at the end of the log that a report contains. */
const logBytes = 64 * 1024;
const logLines = 150;

/** Opens a report with versions, settings and the end of the log, without secrets, and offers to pass it to VS Code's issue reporter. */
export async function reportIssue(context: ReportedExtension, dataFolder: string): Promise<void> {
	const content = await composeReport(context, dataFolder);
	const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
	await vscode.window.showTextDocument(document);
	const open = vscode.l10n.t('Open issue reporter');
	const message = vscode.l10n.t("Describe the problem, and remove anything that you don't want to share.");
	if ((await vscode.window.showInformationMessage(escapeLinks(message), open)) === open) {
		await vscode.commands.executeCommand('workbench.action.openIssueReporter', {
			extensionId: context.extension.id,
			issueBody: document.getText(),
		});
	}
}

/** Returns the text of the report. */
export async function composeReport({ extension, secrets, logUri }: ReportedExtension, dataFolder: string): Promise<string> {
	const { packageJSON } = extension as { readonly packageJSON: { readonly version: string } };
	const isRunning = (await findGateway(dataFolder)) !== undefined;
	return formatIssueReport({
		versions: {
			'Agent Workbench': packageJSON.version,
			'VS Code': `${vscode.version} (${vscode.env.appName}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'browser' : 'desktop'})`,
			Remote: vscode.env.remoteName ?? 'none',
			System: `${os.type()} ${os.release()} ${process.arch}`,
			'Node.js': process.versions.node,
			Language: vscode.env.language,
			Workspace: `${vscode.workspace.workspaceFolders?.length ?? 0} folders, ${isWorkspaceTrusted() ? 'trusted' : 'restricted'}`,
			'Built-in gateway': isRunning ? 'running' : 'not running',
		},
		settings: listChangedSettings(packageJSON),
		log: await readLogEnd(path.join(logUri.fsPath, 'Agent Workbench.log')),
		secrets: await listSecrets(secrets, dataFolder),
		homeFolder: os.homedir(),
	});
}

function listChangedSettings(manifest: object): ChangedSetting[] {
	const configuration = vscode.workspace.getConfiguration();
	return getItems(toFields(manifest)['contributes'], 'configuration')
		.flatMap(group => Object.entries(toFields(toFields(group)['properties'])))
		.flatMap(([name, schema]) => {
			const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(name) ?? {};
			const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
			return value === undefined ? [] : [describeSetting(name, toFields(schema), value)];
		});
}

async function readLogEnd(file: string): Promise<string> {
	try {
		await using handle = await fs.open(file);
		const { size } = await handle.stat();
		const start = Math.max(0, size - logBytes);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
		const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
		// half of a secret isn't recognized, so omit the first line if its start is missing
		return lines.slice(Math.max(start > 0 ? 1 : 0, lines.length - logLines)).join('\n');
	} catch (error) {
		// the file is created with the first entry
		const { code } = error as NodeJS.ErrnoException;
		return code === 'ENOENT' ? 'No entries.' : `The log can't be read (${code}).`;
	}
}

/** Returns everything that is secret here: keys and sign-ins in the keyring, the gateway's key, and the password of the proxy. */
async function listSecrets(secrets: vscode.SecretStorage, dataFolder: string): Promise<string[]> {
	const gatewayKey = await fs.readFile(path.join(dataFolder, 'gateway.key'), 'utf8').catch(() => '');
	const proxy = URL.parse(vscode.workspace.getConfiguration('http').get('proxy', ''))?.password ?? '';
	return [...(await readKeyring(secrets)), gatewayKey.trim(), proxy];
}

async function readKeyring(secrets: vscode.SecretStorage): Promise<string[]> {
	try {
		const stored = await Promise.all((await secrets.keys()).map(async name => (await secrets.get(name)) ?? ''));
		return stored.flatMap(text => listTexts(tryParseJson(text) ?? text));
	} catch {
		// without a keyring, there is nothing stored in it
		return [];
	}
}

function listTexts(value: unknown): string[] {
	if (typeof value === 'string') {
		return [value];
	}
	return Array.isArray(value) || isRecord(value) ? Object.values(value).flatMap(listTexts) : [];
}
