import path from 'node:path';
import * as vscode from 'vscode';
import { getNodeTypeTitles } from '#agentFile/nodeKinds/typeTitles.ts';
import type { CardLabels } from '#pages/graph/cards/rowText.ts';
import { formatMermaid } from '#pages/graph/export/graphMermaid.ts';
import { formatSvg } from '#pages/graph/export/graphSvg.ts';
import { darkColors, lightColors, type SvgColors } from '#pages/graph/export/svgColors.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** Converts an SVG to PNG bytes. Done by the page, because the extension host can't draw. Resolves to `undefined` on failure. */
type Rasterize = (svg: string, width: number, height: number) => Promise<Uint8Array | undefined>;

/** Asks for a file and exports the graph to it. The file's extension determines the format. */
export async function exportGraph(document: vscode.TextDocument, picture: AgentPicture, rasterize: Rasterize): Promise<void> {
	const name = path.posix.basename(document.uri.path).replace(/\.ya?ml$/, '');
	const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri ?? vscode.Uri.joinPath(document.uri, '..');
	const target = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Export Graph (.svg, .png or .mmd)'),
		defaultUri: vscode.Uri.joinPath(folder, `${name}.svg`),
		filters: { SVG: ['svg'], PNG: ['png'], Mermaid: ['mmd', 'mermaid'] },
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, await renderExportedFile(picture, path.posix.extname(target.path), rasterize));
		const open = vscode.l10n.t({ message: 'Open', comment: ['verb: button that opens the exported file'] });
		const choice = await vscode.window.showInformationMessage(
			escapeLinks(vscode.l10n.t("Exported the graph to '{0}'.", vscode.workspace.asRelativePath(target))),
			open,
		);
		if (choice === open) {
			await vscode.commands.executeCommand('vscode.open', target);
		}
	}
}

async function renderExportedFile(picture: AgentPicture, ending: string, rasterize: Rasterize): Promise<Uint8Array> {
	if (ending === '.mmd' || ending === '.mermaid') {
		return new TextEncoder().encode(formatMermaid(picture, getCardLabels()));
	}
	const svg = renderPictureSvg(picture, getThemeColors());
	if (ending !== '.png') {
		return new TextEncoder().encode(svg);
	}
	const png = await rasterize(svg, picture.width, picture.height);
	if (!png) {
		throw new Error(vscode.l10n.t('The graph is too large for PNG. Export it as SVG instead.'));
	}
	return png;
}

/** Renders the picture as an SVG with labels in the editor's language. */
export function renderPictureSvg(picture: AgentPicture, colors: SvgColors): string {
	return formatSvg(picture, colors, getCardLabels());
}

function getCardLabels(): CardLabels {
	return { types: getNodeTypeTitles(vscode.l10n), onFailure: vscode.l10n.t('on failure'), onTimeout: vscode.l10n.t('on timeout') };
}

/** Returns the colors for the editor's theme. */
export function getThemeColors(): SvgColors {
	const { kind } = vscode.window.activeColorTheme;
	return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight ? lightColors : darkColors;
}
