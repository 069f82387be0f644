import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** Agents to begin with: `media/agents/NAME.yml`, each whole, checked and ready to run. */
const skeletonNames = ['greeting', 'chat', 'extractor', 'router', 'batch', 'tool'] as const;
export type SkeletonName = (typeof skeletonNames)[number];

/** A skeleton as users choose it. */
interface Skeleton {
	readonly name: SkeletonName;
	readonly label: string;
	readonly detail: string;
}

/** All skeletons, the simplest first. */
export function skeletons(): readonly Skeleton[] {
	const words: Readonly<Record<SkeletonName, readonly [string, string]>> = {
		greeting: [vscode.l10n.t('Greeting'), vscode.l10n.t('Start, template, end. Asks no model.')],
		chat: [vscode.l10n.t('Chat'), vscode.l10n.t('Answers in a conversation and remembers what was said.')],
		extractor: [vscode.l10n.t('Extractor'), vscode.l10n.t('Takes facts out of a text, by name and type.')],
		router: [vscode.l10n.t('Router'), vscode.l10n.t('Sorts a message by its kind, and treats each kind in its own way.')],
		batch: [vscode.l10n.t('Batch'), vscode.l10n.t('Does the same for each item of a list, several at a time.')],
		tool: [vscode.l10n.t('Tool call'), vscode.l10n.t('Asks a tool and uses what it says.')],
	};
	return skeletonNames.map(name => ({ name, label: words[name][0], detail: words[name][1] }));
}

/**
 * A skeleton as the text of an agent file.
 * @param extensionPath folder of the extension, which has them
 * @param agent name of the new agent: letters, digits, `-` and `_`
 */
export async function skeletonText(extensionPath: string, skeleton: SkeletonName, agent: string): Promise<string> {
	const text = await fs.readFile(path.join(extensionPath, 'media', 'agents', `${skeleton}.yml`), 'utf8');
	return text.replace('name: NAME', () => `name: ${JSON.stringify(agent)}`);
}
