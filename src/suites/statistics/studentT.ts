const precision = 1e-15;

/** Computes the quantile 0.975 of Student's distribution. */
export function getTQuantile(degrees: number): number {
	let low = 0;
	let high = 13;
	// the largest quantile is 12.7, for one degree of freedom
	while (high - low > 4 * Number.EPSILON * high) {
		const middle = (low + high) / 2;
		if (middle === low || middle === high) {
			break;
		}
		if (computeTail(middle, degrees) > 0.025) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return (low + high) / 2;
}

/** Computes the probability of values above `t`. */
function computeTail(t: number, degrees: number): number {
	return computeIncompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

/** Computes the regularized incomplete beta function by its continued fraction (Lentz's method). */
function computeIncompleteBeta(x: number, a: number, b: number): number {
	if (x > (a + 1) / (a + b + 2)) {
		return 1 - computeIncompleteBeta(1 - x, b, a);
	}
	const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - computeLogBeta(a, b)) / a;
	let c = 1;
	let d = 1 / (1 - ((a + b) * x) / (a + 1));
	let fraction = d;
	for (let m = 1; m < 10_000; m++) {
		const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		fraction *= c * d;
		const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		fraction *= c * d;
		if (Math.abs(c * d - 1) < precision) {
			break;
		}
	}
	return front * fraction;
}

function computeLogBeta(a: number, b: number): number {
	return computeLogGamma(a) + computeLogGamma(b) - computeLogGamma(a + b);
}

/** Computes the logarithm of the gamma function by Stirling's series, after shifting small values up. */
function computeLogGamma(value: number): number {
	let shift = 0;
	let x = value;
	for (; x < 15; x++) {
		shift += Math.log(x);
	}
	const inverse = 1 / (x * x);
	const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / x;
	return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
