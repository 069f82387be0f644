import type { Page } from 'playwright-core';

/**
 * Each kind of theme: its key in the driver's extension, the window's class, and the webview body's data-vscode-theme-kind. The first is
 * the initial theme of windows, so a test in all themes changes it four times.
 */
export const themes = {
	dark: { key: 'F6', windowKind: 'vs-dark', webviewKind: 'vscode-dark' },
	light: { key: 'F5', windowKind: 'vs', webviewKind: 'vscode-light' },
	'high-contrast': { key: 'F7', windowKind: 'hc-black', webviewKind: 'vscode-high-contrast' },
	'high-contrast-light': { key: 'F8', windowKind: 'hc-light', webviewKind: 'vscode-high-contrast-light' },
} as const;

export type Theme = keyof typeof themes;

/** Changes the color theme with one key, like the user's settings do; webviews follow immediately. Keeps the focus. */
export async function useTheme(page: Page, theme: Theme): Promise<void> {
	const { key, windowKind } = themes[theme];
	const window = page.locator(`.monaco-workbench.${windowKind}`);
	if (!(await window.isVisible())) {
		await page.keyboard.press(`Control+Alt+Shift+${key}`);
		await window.waitFor();
	}
}
