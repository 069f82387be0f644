import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** Templates of new agents in `media/agents/NAME.yml`. Each can run without changes. */
const skeletonNames = ['greeting', 'chat', 'extractor', 'router', 'batch', 'tool'] as const;
export type SkeletonName = (typeof skeletonNames)[number];

interface Skeleton {
	readonly name: SkeletonName;
	readonly label: string;
	readonly detail: string;
}

/** Returns all templates, simplest first. */
export function listSkeletons(): readonly Skeleton[] {
	const texts: Readonly<Record<SkeletonName, readonly [string, string]>> = {
		greeting: [vscode.l10n.t('Greeting'), vscode.l10n.t("Start, template and end nodes. Doesn't use a model.")],
		chat: [vscode.l10n.t('Chat'), vscode.l10n.t('Replies to messages and remembers the conversation.')],
		extractor: [vscode.l10n.t('Extractor'), vscode.l10n.t('Extracts typed parameters from text.')],
		router: [vscode.l10n.t('Router'), vscode.l10n.t('Classifies a message and handles each class on a separate branch.')],
		batch: [vscode.l10n.t('Batch'), vscode.l10n.t('Processes the items of a list in parallel.')],
		tool: [vscode.l10n.t('Tool call'), vscode.l10n.t('Calls a tool and uses its output.')],
	};
	return skeletonNames.map(name => ({ name, label: texts[name][0], detail: texts[name][1] }));
}

/**
 * Returns the agent file text of a template.
 * @param extensionPath extension folder, which contains the templates
 * @param agent name of the new agent: letters, digits, hyphens and underscores
 */
export async function readSkeleton(extensionPath: string, skeleton: SkeletonName, agent: string): Promise<string> {
	const text = await fs.readFile(path.join(extensionPath, 'media', 'agents', `${skeleton}.yml`), 'utf8');
	return text.replace('name: NAME', () => `name: ${JSON.stringify(agent)}`);
}
