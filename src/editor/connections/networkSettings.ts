import * as vscode from 'vscode';
import type { NetworkSettings } from '#network/networkSettings.ts';

/** Section of the VS Code settings that {@link readNetworkSettings} reads. */
export const networkSection = 'http';

/** Reads only the user's values, because a workspace must not redirect keys through a proxy or turn off certificate checks. */
export function readNetworkSettings(): NetworkSettings {
	const http = vscode.workspace.getConfiguration(networkSection);
	const proxy = http.inspect<string>('proxy')?.globalValue;
	const noProxy = http.inspect<string[]>('noProxy')?.globalValue;
	return { ...(proxy && { proxy }), ...(noProxy && { noProxy }), strictSSL: http.inspect<boolean>('proxyStrictSSL')?.globalValue ?? true };
}
