import type { ProductSpec } from './product-spec.js';

const SIZES = { small: 0, medium: 0, large: 0, XL: 2 };
const SHOE_SIZES = { 'US 6': 0, 'US 7': 0, 'US 8': 0, 'US 9': 0, 'US 10': 0, 'US 11': 0 };

export const CLOTHING: readonly ProductSpec[] = [
  {
    name: 'T-Shirt',
    basePrice: 17.95,
    options: {
      color: { white: 0, black: 0, red: 0, navy: 0 },
      size: SIZES,
      material: { cotton: 0, linen: 9.5 },
    },
  },
  {
    name: 'Hoodie',
    basePrice: 44.49,
    options: {
      color: { gray: 0, black: 0, green: 0, burgundy: 0 },
      size: SIZES,
      closure: { zipper: 4.5, pullover: 0 },
    },
  },
  {
    name: 'Rain Jacket',
    basePrice: 79.95,
    options: {
      color: { yellow: 0, navy: 0, olive: 0 },
      size: SIZES,
      lining: { mesh: 0, fleece: 18.6 },
    },
  },
  {
    name: 'Jeans',
    basePrice: 54.25,
    options: {
      color: { 'dark blue': 0, 'light blue': 0, black: 0 },
      waist: { '28 inch': 0, '30 inch': 0, '32 inch': 0, '34 inch': 0, '36 inch': 0 },
      fit: { slim: 0, straight: 0, relaxed: 0 },
    },
  },
  {
    name: 'Wool Sweater',
    basePrice: 68.95,
    options: {
      color: { cream: 0, charcoal: 0, green: 0, rust: 0 },
      size: SIZES,
      neckline: { crew: 0, turtleneck: 6.3 },
    },
  },
  {
    name: 'Running Shoes',
    basePrice: 98.49,
    options: {
      color: { black: 0, white: 0, orange: 0 },
      size: SHOE_SIZES,
      surface: { road: 0, trail: 12.36 },
    },
  },
  {
    name: 'Sneakers',
    basePrice: 64.95,
    options: {
      color: { white: 0, black: 0, green: 0, pink: 0 },
      size: SHOE_SIZES,
      material: { canvas: 0, leather: 21.48 },
    },
  },
  {
    name: 'Hiking Boots',
    basePrice: 129.95,
    options: {
      size: SHOE_SIZES,
      material: { suede: 0, leather: 19.5 },
      height: { 'mid cut': 0, 'high cut': 14.24 },
    },
  },
  {
    name: 'Sunglasses',
    basePrice: 48.75,
    options: {
      'frame color': { black: 0, tortoise: 0, silver: 3 },
      'lens color': { brown: 0, gray: 0, blue: 0 },
      lens: { 'plain tint': 0, polarized: 24.21 },
    },
  },
  {
    name: 'Wristwatch',
    basePrice: 118.45,
    options: {
      strap: { silicone: 0, leather: 22.5, metal: 31.37 },
      dial: { black: 0, white: 0, blue: 0 },
      case: { '38 mm': 0, '42 mm': 8.4 },
    },
  },
  {
    name: 'Winter Gloves',
    basePrice: 27.95,
    options: {
      color: { black: 0, gray: 0, purple: 0 },
      size: { small: 0, medium: 0, large: 0 },
      material: { wool: 0, leather: 23.64 },
    },
  },
  {
    name: 'Baseball Cap',
    basePrice: 21.49,
    options: {
      color: { black: 0, navy: 0, khaki: 0, white: 0 },
      closure: { snapback: 0, fitted: 3.27 },
      material: { cotton: 0, wool: 5.5 },
    },
  },
];
