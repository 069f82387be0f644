import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { listKeyGroups } from '#contract/serviceKinds.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { KeyPrompt } from './keyPrompt.ts';

interface Candidate extends vscode.QuickPickItem {
	readonly key: string;
}

/** Imports a key from an environment variable or from a `.env` file that the user selects. Never shows values. */
export async function importKey(prompt: KeyPrompt, entry: ConnectionEntry): Promise<void> {
	const title = vscode.l10n.t("Import a key for '{0}'", entry.name);
	const fromFile: Candidate = { label: vscode.l10n.t('From a .env file…'), key: '' };
	const candidates = findKeyCandidates(Object.entries(process.env));
	const choice = await vscode.window.showQuickPick([fromFile, ...candidates], {
		title,
		placeHolder: vscode.l10n.t('Select the environment variable with the key'),
	});
	const variable = choice === fromFile ? await chooseKeyFromFile(title) : choice;
	if (!variable) {
		return;
	}
	const keys = Object.fromEntries(listKeyGroups(entry.kind).map(group => [group, variable.key]));
	const wrong = await prompt.testKeys(entry, keys);
	if (wrong?.sure) {
		throw new Problem('auth', vscode.l10n.t("'{0}' refused the key in {1}.", entry.name, variable.label));
	}
	await prompt.saveKeys(entry, keys, wrong?.other !== undefined);
}

async function chooseKeyFromFile(title: string): Promise<Candidate | undefined> {
	const [file] = (await vscode.window.showOpenDialog({ title, openLabel: vscode.l10n.t('Select') })) ?? [];
	if (!file) {
		return undefined;
	}
	const candidates = findKeyCandidates(parseEnvFile(await readFile(file.fsPath, 'utf8')));
	if (candidates.length === 0) {
		throw new Problem(
			'no-keys',
			vscode.l10n.t("'{0}' has no variable whose name ends in KEY, TOKEN or SECRET.", vscode.workspace.asRelativePath(file)),
		);
	}
	return vscode.window.showQuickPick(candidates, { title, placeHolder: vscode.l10n.t('Select the variable with the key') });
}

/** Finds variables whose names look like names of keys. */
function findKeyCandidates(variables: readonly (readonly [string, string | undefined])[]): Candidate[] {
	return variables
		.filter(([name, value]) => /(KEY|TOKEN|SECRET)$/i.test(name) && value?.trim())
		.map(([name, value]) => ({ label: name, description: vscode.l10n.t('length: {0}', value!.trim().length), key: value!.trim() }))
		.sort((a, b) => a.label.localeCompare(b.label));
}

/** Parses the `NAME=value` lines of a `.env` file. Supports `export`, quotes and comments, as shells and dotenv do. */
function parseEnvFile(text: string): [string, string][] {
	return text.split(/\r?\n/).flatMap(line => {
		const found = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#\s]*))/.exec(line);
		return found ? [[found[1]!, found[2] ?? found[3] ?? found[4] ?? ''] as [string, string]] : [];
	});
}
