import * as vscode from 'vscode';
import type { NetworkSettings } from '#network/networkSettings.ts';

/** Settings of the editor that {@link networkSettings} reads. */
export const networkSection = 'http';

/** The user's own values alone: a workspace must not choose the proxy that a key passes, nor switch the checks of certificates off. */
export function networkSettings(): NetworkSettings {
	const http = vscode.workspace.getConfiguration(networkSection);
	const proxy = http.inspect<string>('proxy')?.globalValue;
	const noProxy = http.inspect<string[]>('noProxy')?.globalValue;
	return { ...(proxy && { proxy }), ...(noProxy && { noProxy }), strictSSL: http.inspect<boolean>('proxyStrictSSL')?.globalValue ?? true };
}
