import fs from 'node:fs';
import type * as vscode from 'vscode';
import { EventEmitter } from './events.ts';

const manifest = JSON.parse(fs.readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
	contributes: { configuration: { properties: Record<string, { default?: unknown }> }[] };
};
const defaults: Record<string, { default?: unknown } | undefined> = Object.assign(
	{},
	...manifest.contributes.configuration.map(({ properties }) => properties),
);
/** Values set by the user, by full name. */
const values = new Map<string, string>();
const changed = new EventEmitter<vscode.ConfigurationChangeEvent>();

export const onDidChangeConfiguration = changed.event;

export const configurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;

/** Returns the user's settings. Reads return copies, and the defaults are those in package.json. */
export function getConfiguration(section = ''): Pick<vscode.WorkspaceConfiguration, 'get' | 'inspect' | 'update'> {
	const getFullName = (name: string): string => (section === '' ? name : `${section}.${name}`);
	const getGlobalValue = (name: string): unknown => {
		const text = values.get(getFullName(name));
		return text === undefined ? undefined : JSON.parse(text);
	};
	return {
		get: (name: string, fallback?: unknown) =>
			(getGlobalValue(name) ?? structuredClone(defaults[getFullName(name)]?.default) ?? fallback) as never,
		inspect: (name: string) =>
			({ key: getFullName(name), globalValue: getGlobalValue(name), defaultValue: defaults[getFullName(name)]?.default }) as never,
		async update(name, value, target) {
			if (target !== configurationTarget.Global) {
				throw new Error('The stand-in keeps settings of the user alone');
			}
			if (value === undefined) {
				values.delete(getFullName(name));
			} else {
				values.set(getFullName(name), JSON.stringify(value));
			}
			changed.fire({ affectsConfiguration: asked => getFullName(name) === asked || getFullName(name).startsWith(`${asked}.`) });
		},
	};
}
