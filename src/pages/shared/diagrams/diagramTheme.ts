type Variables = Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>;

/** Colors and fonts of a diagram. */
export interface DiagramTheme {
	/** Mermaid's variables of its theme "base". */
	readonly variables: Variables;
	readonly fontFamily: string;
}

/** Mermaid's number of colors for sections and branches. */
const sections = 12;
const chartColors = ['blue', 'green', 'orange', 'purple', 'yellow', 'red'];

/** Reads the colors of VS Code's current theme from the page. */
export function readDiagramTheme(): DiagramTheme {
	const probe = document.body.appendChild(document.createElement('span'));
	const readColor = (color: string): string => {
		probe.style.color = color;
		return toHex(getComputedStyle(probe).color);
	};
	const background = readColor('var(--vscode-editor-background)');
	const foreground = readColor('var(--vscode-editor-foreground)');
	const isContrast = document.body.className.includes('high-contrast');
	const mix = (color: string, percent: number) => readColor(`color-mix(in srgb, ${color} ${percent}%, ${background})`);
	const border = isContrast ? readColor('var(--vscode-contrastBorder)') : mix(foreground, 45);
	const fills = chartColors.map(name => mix(`var(--vscode-charts-${name}, ${foreground})`, 30));
	const dimmed = mix(foreground, 12);
	probe.remove();
	const node = isContrast ? background : (fills[0] ?? background);
	const { fontFamily, fontSize } = getComputedStyle(document.body);
	return { fontFamily, variables: { fontFamily, fontSize, ...createVariables({ background, foreground, border, node, dimmed, fills }) } };
}

interface Colors {
	readonly background: string;
	readonly foreground: string;
	readonly border: string;
	/** Background of nodes. */
	readonly node: string;
	/** Background of groups and notes. */
	readonly dimmed: string;
	/** Backgrounds of sections, slices and branches. */
	readonly fills: readonly string[];
}

function createVariables({ background, foreground, border, node, dimmed, fills }: Colors): Variables {
	const getFill = (index: number) => fills[index % fills.length] ?? node;
	const numbered = (name: string, count: number, first: number, getColor: (index: number) => string) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + first}`, getColor(index)]));
	return {
		darkMode: isDark(background),
		background,
		primaryColor: node,
		primaryTextColor: foreground,
		primaryBorderColor: border,
		secondaryColor: dimmed,
		secondaryTextColor: foreground,
		secondaryBorderColor: border,
		tertiaryColor: dimmed,
		tertiaryTextColor: foreground,
		tertiaryBorderColor: border,
		lineColor: foreground,
		textColor: foreground,
		titleColor: foreground,
		mainBkg: node,
		nodeBorder: border,
		nodeTextColor: foreground,
		clusterBkg: background,
		clusterBorder: border,
		edgeLabelBackground: background,
		labelBackground: background,
		noteBkgColor: dimmed,
		noteTextColor: foreground,
		noteBorderColor: border,
		activationBkgColor: dimmed,
		activationBorderColor: border,
		labelBoxBkgColor: background,
		labelBoxBorderColor: border,
		transitionLabelColor: foreground,
		attributeBackgroundColorOdd: background,
		attributeBackgroundColorEven: dimmed,
		sectionBkgColor: dimmed,
		altSectionBkgColor: background,
		sectionBkgColor2: dimmed,
		taskBkgColor: node,
		taskBorderColor: border,
		taskTextColor: foreground,
		taskTextOutsideColor: foreground,
		taskTextLightColor: foreground,
		taskTextDarkColor: foreground,
		activeTaskBkgColor: getFill(1),
		activeTaskBorderColor: border,
		doneTaskBkgColor: dimmed,
		doneTaskBorderColor: border,
		critBkgColor: getFill(5),
		critBorderColor: border,
		gridColor: border,
		todayLineColor: foreground,
		pieTitleTextColor: foreground,
		pieSectionTextColor: foreground,
		pieLegendTextColor: foreground,
		pieStrokeColor: border,
		pieOuterStrokeColor: border,
		pieOpacity: '1',
		commitLabelColor: foreground,
		commitLabelBackground: background,
		tagLabelColor: foreground,
		tagLabelBackground: dimmed,
		tagLabelBorder: border,
		dropShadow: 'none',
		xyChart: { plotColorPalette: fills.join(',') },
		packet: {
			blockFillColor: dimmed,
			blockStrokeColor: border,
			labelColor: foreground,
			startByteColor: foreground,
			endByteColor: foreground,
		},
		radar: { graticuleColor: dimmed },
		...numbered('pie', sections, 1, getFill),
		...numbered('cScale', sections, 0, getFill),
		...numbered('cScalePeer', sections, 0, () => border),
		...numbered('cScaleLabel', sections, 0, () => foreground),
		...numbered('fillType', 8, 0, getFill),
		...numbered('git', 8, 0, getFill),
		...numbered('gitInv', 8, 0, () => border),
		...numbered('gitBranchLabel', 8, 0, () => foreground),
	};
}

function isDark(color: string): boolean {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
	return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}

/** Converts a computed color, such as `rgb(1, 2, 3)` or `color(srgb 0.1 0.2 0.3)`, to `#rrggbb`, because Mermaid doesn't know the latter. */
export function toHex(color: string): string {
	const unit = color.startsWith('color(') ? 255 : 1;
	const parts = [...color.matchAll(/(?<![a-z])\d[\d.]*(?:e-\d+)?/g)].slice(0, 3).map(([part]) => Math.round(Number(part) * unit));
	return `#${parts.map(part => Math.min(255, part).toString(16).padStart(2, '0')).join('')}`;
}
