// Points of the plane, and a perceptron without a threshold that learns from them.

export const START = [[0.4, 2.2, 1], [2.6, -0.9, 1], [1.4, 3.0, 1], [2.9, 1.0, 1], [-1.1, 2.9, 1], [-1.2, 0.9, -1], [-2.6, 1.3, -1], [-0.3, -2.6, -1], [-2.1, -2.0, -1], [1.3, -1.9, -1]];

export const dot = ([a, b], [c, d]) => a * c + b * d;
export const size = (vector) => Math.hypot(...vector);

export class Learner {
  constructor(points) {
    this.points = points;
    this.reset();
  }

  reset() {
    this.weights = [0, 0];
    this.updates = this.next = 0;
    this.lengths = [];
    this.last = null;
  }

  // The next point on the wrong side, or on the line; null when there is none.
  wrong() {
    for (let k = 0; k < this.points.length; k++) {
      const i = (this.next + k) % this.points.length, [x, y, side] = this.points[i];
      if (side * dot(this.weights, [x, y]) <= 0) return i;
    }
    return null;
  }

  step() {
    const i = this.wrong();
    if (i === null) return false;
    const [x, y, side] = this.points[i];
    this.last = { point: i, before: this.weights };
    this.weights = [this.weights[0] + side * x, this.weights[1] + side * y];
    this.updates += 1;
    this.next = i + 1;
    this.lengths.push([this.updates, size(this.weights)]);
    return true;
  }

  get radius() {
    return Math.max(...this.points.map(([x, y]) => Math.hypot(x, y)));
  }

  // The widest margin that any direction has; none where no line separates the points.
  get widest() {
    let best = { margin: 0, way: null };
    for (let i = 0; i < 7200; i++) {
      const angle = (i * Math.PI) / 3600, way = [Math.cos(angle), Math.sin(angle)];
      const margin = Math.min(...this.points.map(([x, y, side]) => side * dot(way, [x, y])));
      if (margin > best.margin) best = { margin, way };
    }
    return best;
  }

  get margin() {
    return this.widest.margin || null;
  }

  // A point that leaves a third of the margin, so that the bound is about ten times as large.
  near(side) {
    const { margin, way } = this.widest;
    return way && [2.4 * way[1] + (side * way[0] * margin) / 3.2, -2.4 * way[0] + (side * way[1] * margin) / 3.2, side];
  }

  get bound() {
    return this.margin === null ? null : (this.radius / this.margin) ** 2;
  }
}
